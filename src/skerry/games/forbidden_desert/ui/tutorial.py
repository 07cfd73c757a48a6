"""The tutorial: a commented first game with two clues, a part of the machine and a Sun Beats Down."""

from __future__ import annotations

from skerry.engine.tutorial import Tutorial, TutorialStep

TUTORIAL = Tutorial(
    seed=2510,
    options={"players": 2, "roles": "archeologist,water-carrier", "first": 0},
    steps=(
        TutorialStep(
            "Your helicopter has crashed in the desert. Together you look for four parts of a flying machine, bring "
            "them to the launch pad and take off. A turn has four actions. You are the Archeologist, and you stand on "
            "the crash tile, which hides something useful: excavate it.",
            ("excavate",),
            ("pawn:archeologist", "place:D1"),
        ),
        TutorialStep(
            "A Solar Shield. Gear is played at any time and costs no action; keep this one for a hot day. Now walk to "
            "the corner: you may not cross the storm, nor enter a tile with two or more sand markers.",
            ("move E1",),
            ("#gear-0",),
        ),
        TutorialStep("There is no sand on this tile, so you can excavate at once.", ("excavate",)),
        TutorialStep(
            "A clue: the solar crystal lies somewhere in this column. A second clue will tell the row, and where both "
            "meet the part appears. Use your last action to get ready.",
            ("move E2",),
            ("#clue-solar-crystal", "#machine"),
        ),
        TutorialStep(
            "You have used all four actions. End them, and the storm comes.",
            ("end",),
            ("#meter",),
        ),
        TutorialStep(
            "You draw as many storm cards as the meter says. A wind pushes tiles into the hole of the storm, and each "
            "tile that moved gets a sand marker. Then it is the Water Carrier's turn, who digs up the well beside the "
            "crash.",
            ("draw", "draw", "move C1", "clear C1", "excavate", "move D1", "end", "draw", "draw"),
            ("#storm_deck", "#storm"),
        ),
        TutorialStep(
            "Look how the desert has changed. Your tile is still free of sand, so excavate it before it is too late.",
            ("excavate",),
            ("place:E2",),
        ),
        TutorialStep(
            "The second clue! Row and column meet right here, and the solar crystal lies at your feet. Picking it up "
            "is an action.",
            ("take solar-crystal",),
            ("#part-solar-crystal", "#clue-solar-crystal"),
        ),
        TutorialStep(
            "One of four parts. Sand piles up, and when all markers are used you have lost; so clear some when you "
            "can. The Archeologist may even take two from a tile with one action.",
            ("clear E3",),
            ("#supply",),
        ),
        TutorialStep(
            "The other danger is thirst. When the sun beats down, everybody without shelter drinks one water, and a "
            "pawn with an empty canteen dies. You have only three water: put up your Solar Shield. It is free.",
            ("shield",),
            ("#canteen-0", "#gear-0"),
        ),
        TutorialStep("End your actions and see.", ("end",)),
        TutorialStep(
            "Two more storm cards. On one tile you may give each other water at any time, and a tunnel shelters as "
            "well as the shield.",
            ("draw", "move B1", "excavate", "move A1", "excavate", "end", "draw", "draw"),
            ("#storm_deck", "#canteen-1"),
        ),
        TutorialStep(
            "The shield has saved you a drink. Now you know the storm, the sand and the sun. Find the other three "
            "parts and the launch pad, and leave together. From here on the game is yours.",
            (),
            ("#machine",),
        ),
    ),
)
TEXTS = tuple(comment.text for comment in TUTORIAL.steps)
