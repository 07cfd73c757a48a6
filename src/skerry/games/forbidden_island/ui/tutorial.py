"""The tutorial: a commented first game, up to the capture of the first treasure."""

from __future__ import annotations

from skerry.engine.tutorial import Tutorial, TutorialStep

TUTORIAL = Tutorial(
    seed=773,
    options={"players": 2, "roles": "engineer,messenger", "first": 0},
    steps=(
        TutorialStep(
            "Welcome to the island. You win together or lose together: fetch four treasures, then fly off from Fools' "
            "Landing before all sinks. You are the Engineer. A turn has three actions, and tiles that glow can be "
            "touched. Step up to the Cave of Embers: it is one of the two places where the Crystal of Fire is kept.",
            ("move C4",),
            ("pawn:engineer", "#hand-0"),
        ),
        TutorialStep(
            "Two tiles beside you are flooded. If a flooded tile is flooded again, it sinks for good, so shore up in "
            "time. For others that is one action a tile; the Engineer does two with one action: touch one, then "
            "the other.",
            ("shore B4,C3",),
        ),
        TutorialStep(
            "You are standing where you want to be, so leave the third action unused. Nobody has to use all three.",
            ("end",),
        ),
        TutorialStep(
            "After your actions come two treasure cards; four of a kind capture a treasure. Three cards of this deck "
            "are bad news: with Waters Rise! the water climbs a mark, and the flooded tiles come back on top of the "
            "flood deck. Then the sea takes its turn, with as many flood cards as the water meter says. Draw your "
            "cards; after them the Messenger plays.",
            ("draw", "give crystal-of-fire engineer", "move D2", "shore D3", "end", "draw", "flood", "flood"),
            ("#treasure_deck", "#flood_deck", "#meter"),
        ),
        TutorialStep(
            "The Messenger gave you a card from afar: this is that role's power, all others must stand on your tile to "
            "give. Now you hold four Crystal of Fire cards, and you stand on its tile: capture it!",
            ("capture crystal-of-fire",),
            ("#hand-0", "#treasures"),
        ),
        TutorialStep(
            "One of four. Breakers Bridge next to you was flooded just now, and so was the Temple of the Moon behind "
            "it, where the Earth Stone is kept. A treasure whose two tiles sink before it is captured is lost, and the "
            "game with it. You may walk on flooded tiles: go there.",
            ("move D4",),
        ),
        TutorialStep(
            "Shore up both with one action: the tile you stand on counts as well.",
            ("shore D4,E4",),
            ("place:D4", "place:E4"),
        ),
        TutorialStep("That was the third action.", ("end",)),
        TutorialStep(
            "Draw again. Nobody may hold more than five cards: with a sixth, you must discard one at once. You will "
            "find a Helicopter Lift. It flies pawns anywhere, at any time, and in the end you need one to fly home.",
            ("draw", "draw"),
            ("#treasure_deck",),
        ),
        TutorialStep(
            "And the sea once more. Watch which tiles come: their cards lie in the discard until the waters rise, so "
            "until then they are safe.",
            (
                *("flood", "flood"),
                *("shore E2", "shore D1", "give earth-stone engineer", "end", "draw", "draw", "flood", "flood"),
            ),
            ("#flood_discard",),
        ),
        TutorialStep(
            "That is all there is to it: move, shore up, give, capture; draw; flood. Three treasures are left, and "
            "then everybody to Fools' Landing with a Helicopter Lift. From here on the game is yours.",
            (),
            ("place:E5",),
        ),
    ),
)
TEXTS = tuple(comment.text for comment in TUTORIAL.steps)
