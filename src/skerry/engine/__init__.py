"""The engine: what a game is, and what is the same for all games.

Kernels and what they work on
    kernel            the decorator that compiles rules with numba, or leaves them interpreted
    struct            annotated classes as NumPy structs: the state and the options of a game
    bitset, rng       bit sets; the random generator inside the state
    event_log, cards  events that kernels write; dealing and reshuffling
    numba_kernel      how kernels are compiled and linked
    kernel_digest, kernel_cache   how they are identified, and kept between two starts
    kernel_progress   tells programs what is being compiled
    child_process     processes that compile for the one that started them
    source_digest     identifies the sources that a game's course depends on
    loop              the play loop: which seat is asked next, written once for everything that plays

A game
    game, protocols   the fact sheet, and what a game's modules provide
    seats             the largest number of seats
    options           the typed options of a game
    notation          actions as ids and as text
    events            what happened in a step, as far as a reader may know it
    blocks            named blocks of observations and features
    match             one game being played
    game_record       a match as text, and back
    errors            refusals, with the rule that forbids something

What people read and see
    messages, i18n/   translatable sentences; catalogues, grammar, extraction
    rulebook          the rules in Markdown, with ids
    tutorial          a first game with comments
    scene, memo       the parts of a page; sharing work between the views of one state

    conformance       checks that every game must pass
"""
