FROM python:3.13-slim-bookworm

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /srv/nomic

RUN apt-get update && apt-get install -y --no-install-recommends fonts-dejavu-core \
    && rm -rf /var/lib/apt/lists/*

COPY requirements.txt .
RUN pip install --no-cache-dir --require-hashes -r requirements.txt
# Such as sentry-sdk, where faults are told to a Sentry.
ARG PACKAGES=""
RUN [ -z "$PACKAGES" ] || pip install --no-cache-dir "$PACKAGES"

COPY . .
RUN NOMIC_SECRET_KEY=for-this-one-command python -m nomic.embedded static \
    && useradd --system --no-create-home nomic \
    && install -d -o nomic -g nomic var
USER nomic

# Web by default; docker-compose.yml names the others. All of them stand in nomic/embedded/commands.py.
ENV HOST=0.0.0.0 PORT=8000
EXPOSE 8000
CMD ["python", "-m", "nomic.embedded", "web"]
