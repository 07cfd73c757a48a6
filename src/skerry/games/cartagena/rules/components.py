"""The contents of the box and the numbers of the rules, as constants."""

from __future__ import annotations

from skerry.engine.kernel import lookup_table

SEATS = 5
COLOURS = ("red", "green", "yellow", "blue", "black")
COLOUR_TITLES = ("Red", "Green", "Yellow", "Blue", "Black")
CREW = 6  # the most pirates of a colour

PISTOL, RUM, LANTERN, PARROT, HOOK, CHEST = range(6)
SYMBOLS = ("pistol", "rum", "lantern", "parrot", "hook", "chest")
SYMBOL_LETTERS = "PRLAHC"
N_SYMBOLS = len(SYMBOLS)

# The kinds of card: the six symbols on a light background, then the same on a dark background.
KINDS = 2 * N_SYMBOLS
CARDS = (*SYMBOLS, *(f"dark-{symbol}" for symbol in SYMBOLS))
CARD_TITLES = (*SYMBOLS, *(f"dark {symbol}" for symbol in SYMBOLS))
COPIES, DARK_COPIES = 17, 2  # of each symbol in all, and how many of them are dark
N_CARDS = COPIES * N_SYMBOLS
DEALT_CARDS = 6
HAND_LIMIT = 7

PARTS = 8
PART_LETTERS = "abcdefgh"
PART_SPACES = 6
SPACES = PARTS * PART_SPACES
FEWEST_PARTS, FEWEST_IN_A_HALF, MOST_IN_A_HALF = 4, 3, 5
SIDES = 2  # of a part: tunnel, island

# Places: where the pirates start, the numbered spaces of the path, the sloop, the hideout.
START, SLOOP, HIDEOUT = 0, SPACES + 1, SPACES + 2
PLACES = SPACES + 3
MAX_PIRATES = 3  # on a space of the path; in the full story also of one colour aboard the sloop

ACTIONS_A_TURN = 3
BOARDING_DRAWS = 2  # CA-31: cards for moving another pirate aboard or into the hideout
LANTERN_DRAWS = 4  # cards
MAX_KNOWN_TOP = LANTERN_DRAWS - 1  # cards on top of the deck that a player can know
RUM_KEEPS, LANTERN_KEEPS = 2, 1

SNAKE = 4
CHEST_TOKENS = (1, 1, 2, 2, 3, 3, 0, SNAKE)  # the tokens: cards won, or a snake
CHEST_TOKENS_TABLE = lookup_table(CHEST_TOKENS)

STORIES = ("escape", "tortuga", "full")
ESCAPE, TORTUGA, FULL = range(3)
STORY_TITLES = ("The escape", "Across Tortuga", "The full story")
DRAWING_MOVES = ("back", "morgan", "both", "back-then-morgan")
DRAWING_MOVE_TITLES = ("Moving back", "Morgan's move", "Both", "Moving back, then Morgan's move")
DRAW_BACK, DRAW_MORGAN, DRAW_BOTH, DRAW_BACK_THEN_MORGAN = range(4)
HARBOURS = ("cartagena", "tortuga")
AT_CARTAGENA, AT_TORTUGA = range(2)
HARBOUR_TITLES = ("Cartagena", "Tortuga")

TEXTS = (*COLOUR_TITLES, *CARD_TITLES, *HARBOUR_TITLES)  # to be translated
