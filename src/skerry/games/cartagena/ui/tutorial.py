"""The tutorial: a commented game that shows moving forward with cards and back for new ones."""

from __future__ import annotations

from skerry.engine.tutorial import Tutorial, TutorialStep

TUTORIAL = Tutorial(
    seed=7,
    options={"players": 2, "parts": 4, "pirates": 4, "first": 0},
    steps=(
        TutorialStep(
            "Your pirates, the red ones, are in prison, and the sloop waits at the other end of the passage. The "
            "first player with all pirates aboard wins. A card moves one of your pirates forward to the next empty "
            "space with its symbol. Play a lantern for one in prison.",
            ("play lantern prison",),
            ("#start", "#hand-0"),
        ),
        TutorialStep(
            "That lantern is taken now. So the same card carries the next pirate further, to the first lantern that is "
            "empty. Long jumps are made of crowds: play the second lantern.",
            ("play lantern prison",),
            ("#space-5", "#space-12"),
        ),
        TutorialStep(
            "A turn has one to three actions. Bring a third pirate out with the hook.",
            ("play hook prison",),
        ),
        TutorialStep(
            "Three actions are done. Cards are not drawn at the end of a turn: soon you will see where they come from. "
            "Now Green plays.",
            ("end", "play pistol prison", "play hook prison", "end"),
        ),
        TutorialStep(
            "Three cards left. To get more you move back: a pirate returns to the nearest space on which one or two "
            "pirates stand, of any colour, and you draw one card for each of them. Go back from space 12: Green "
            "stands on 8.",
            ("back 12",),
            ("#space-8", "#deck"),
        ),
        TutorialStep(
            "A chest. A card just drawn can be played at once: use one for the pirate on space 8. The chest on 7 lies "
            "behind it, so it runs on to 16.",
            ("play chest 8",),
            ("#space-16",),
        ),
        TutorialStep(
            "Now the pistol, for the pirate on space 4. The pistol on 6 is taken by Green: thank you for the lift.",
            ("play pistol 4",),
            ("#space-6", "#space-11"),
        ),
        TutorialStep(
            "End your turn. Green will fetch a card and go on.",
            ("end", "back 8", "play rum 6", "end"),
        ),
        TutorialStep(
            "Your leader stands on 16, and your pirate on 11 is alone: one card. With two pirates there it would be "
            "two, so a good player moves back to pairs. Spaces with three are passed by. Take the card.",
            ("back 16",),
            ("#space-11", "#deck"),
        ),
        TutorialStep(
            "Do not forget those behind: a straggler costs as many cards as a leader. Bring the last one out of "
            "prison.",
            ("play chest prison",),
            ("#start",),
        ),
        TutorialStep(
            "Nobody is in prison any more. One action is left, and you may keep it: cards in the hand are worth more "
            "later. End your turn.",
            ("end", "back 6", "back 9", "play lantern prison", "end"),
        ),
        TutorialStep(
            "You know it all now. When there is no empty space with the symbol ahead, the card takes the pirate aboard "
            "the sloop. Without cards you may pass and draw one. From here on the game is yours.",
            (),
            ("#sloop",),
        ),
    ),
)
TEXTS = tuple(comment.text for comment in TUTORIAL.steps)
