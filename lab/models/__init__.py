"""Models of the laboratory, a module for each part."""

from lab.models.practice import PracticeDecision
from lab.models.run import LabChunk, LabRun
from lab.models.sit_and_go import SitAndGo

__all__ = ["LabChunk", "LabRun", "PracticeDecision", "SitAndGo"]
