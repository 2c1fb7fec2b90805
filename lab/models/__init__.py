from lab.models.sit_and_go import SitAndGo

__all__ = ["SitAndGo"]
