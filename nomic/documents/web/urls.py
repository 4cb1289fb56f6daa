"""The addresses of the documents' pages."""

from django.urls import path, reverse

from nomic.documents.web import compose, for_programs, views
from nomic.web.api.subgames import adds_to_api
from nomic.web.hosting.talk import topic

_ALL = "g/<slug:slug>/documents/"

urlpatterns = [
    path(_ALL, views.documents, name="documents"),
    path(f"{_ALL}new/", compose.document_new, name="document_new"),
    path(f"{_ALL}sealed/new/", compose.document_seal, name="document_seal"),
    path(f"{_ALL}feed/", views.feed, name="documents_feed"),
    path(f"{_ALL}preview/", compose.document_preview, name="document_preview"),
    path(f"{_ALL}drafts/<int:number>/", compose.document_draft, name="document_draft"),
    path(f"{_ALL}<int:number>/", views.document, name="document"),
    path(f"{_ALL}<int:number>/revise/", compose.document_revise, name="document_revise"),
    path(f"{_ALL}<int:number>/reseal/", compose.document_reseal, name="document_reseal"),
]

topic("document", lambda slug, number: reverse("document", args=[slug, number]), views.is_document)

adds_to_api(for_programs.router)
