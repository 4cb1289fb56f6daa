from django.apps import AppConfig


class SimulationConfig(AppConfig):
    name = "nomic.simulation"
    label = "simulation"
