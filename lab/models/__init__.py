"""Models of the laboratory, a module for each part."""

from lab.models.practice import PracticeDecision
from lab.models.run import LabChunk, LabRun

__all__ = ["LabChunk", "LabRun", "PracticeDecision"]
