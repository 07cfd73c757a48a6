"""Analysis of a match: the course of the chance to win, and how much of it was luck and how much was skill.

    from skerry.analysis import analyse
    analysis = analyse(skerry.replay(text))

- ``match_analysis``: the whole of it, in stages; ``verdict``: what it says, in words
- ``viewpoint``: from whose knowledge the values are drawn
- ``evaluation``, ``calibration``: what a position is worth to each seat
- ``accounts``: luck and decisions, which add up to what changed
- ``grading``: decisions compared with the best that is found
- ``stored``: an analysis as bytes, and back
"""

from __future__ import annotations

from skerry.analysis.grading import THRESHOLDS, Grade, Graded
from skerry.analysis.match_analysis import EFFORT, AnalysedStep, Analysis, analyse, analyse_by_stages, as_data

__all__ = [
    "EFFORT",
    "THRESHOLDS",
    "AnalysedStep",
    "Analysis",
    "Grade",
    "Graded",
    "analyse",
    "analyse_by_stages",
    "as_data",
]
