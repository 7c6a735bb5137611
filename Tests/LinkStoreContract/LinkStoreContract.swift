package import WaymarkLinks
