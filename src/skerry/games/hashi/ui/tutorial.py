"""The tutorial: a commented game of four cards and five finished islands."""

from __future__ import annotations

from skerry.engine.tutorial import Tutorial, TutorialStep

TUTORIAL = Tutorial(
    seed=3,
    options={"players": 1},
    steps=(
        TutorialStep(
            "A sheet with 18 islands, and dotted lines on which bridges can be drawn. First write a 3 or a 4 on an "
            "island without a flag. The middle has four neighbours, so a 4 is at home there: touch the 4 "
            "above the sheet, then C4.",
            ("start 4 C4",),
        ),
        TutorialStep(
            "With other players, your paper would go to your neighbour now; alone, you keep it. Confirm.", ("confirm",)
        ),
        TutorialStep(
            "The first of 17 cards: a 2, and two bridges. First the number, on any empty island. An island is finished "
            "when it has exactly as many bridges as its number says, and that is worth 2 points. C5 will be finished "
            "in a moment.",
            ("write C5",),
            ("#flipped",),
        ),
        TutorialStep(
            "Now two bridges: exactly as many as the card says, or none. Each needs a number at one end at least. A "
            "line carries up to two: draw both between C4 and C5.",
            ("bridge C4-C5", "bridge C4-C5"),
        ),
        TutorialStep(
            "C5 has its two bridges and is finished. As long as you have not confirmed, you may take everything back. "
            "Confirm, and the next card comes.",
            ("confirm",),
            ("#island-C5",),
        ),
        TutorialStep(
            "A 1, and one bridge. C1 has one neighbour only: no other number fits better there.",
            ("write C1",),
            ("#flipped",),
        ),
        TutorialStep(
            "Its bridge leads to C2, which carries a blue flag. Islands with flags take a number only after a bridge "
            "of an earlier round has reached them.",
            ("bridge C1-C2",),
            ("#island-C2",),
        ),
        TutorialStep("Confirm: the second island is finished.", ("confirm",)),
        TutorialStep(
            "Another 1, with two bridges. A bridge reached C2 last round; it has just that one and takes the 1: "
            "finished at once. Finishing all three islands with a blue flag gives a bonus, and so do the four with a "
            "red flag: the sooner, the bigger.",
            ("write C2",),
            ("#box-blue", "#box-red"),
        ),
        TutorialStep(
            "C4 has two of its four bridges. Give it the other two, to the left and to the right. Bridges never cross, "
            "so look twice what you close off.",
            ("bridge A4-C4", "bridge C4-E4"),
            ("#island-C4",),
        ),
        TutorialStep("Two islands in one round. Confirm.", ("confirm",)),
        TutorialStep(
            "A 4 with three bridges. A4 has one bridge already and needs three more to make four.",
            ("write A4",),
            ("#flipped",),
        ),
        TutorialStep(
            "Two up to A3 and one down to A6: both have red flags, and both are reached now.",
            ("bridge A3-A4", "bridge A3-A4", "bridge A4-A6"),
        ),
        TutorialStep("Confirm.", ("confirm",)),
        TutorialStep(
            "Five finished islands, ten points. A third bonus is for six finished islands that hang together. The "
            "cards that are still to come are listed: count on them. From here on the game is yours.",
            (),
            ("#counted", "#box-six"),
        ),
    ),
)
TEXTS = tuple(comment.text for comment in TUTORIAL.steps)
