# The operator image: docker build -f images/operator.Dockerfile -t ratchet/operator:0.1.0 .
# JDK and BASE can be replaced, for example by a mirror; BASE needs glibc and /bin/sh.
ARG JDK=eclipse-temurin:25-jdk
ARG BASE=debian:bookworm-slim

FROM ${JDK} AS build
WORKDIR /source
COPY . .
RUN ./mvnw -B -q package -DskipTests -DskipChecks && images/stage operator /stage

FROM ${BASE}
COPY --from=build /stage/opt /opt
COPY --from=build /stage/etc/passwd /stage/etc/group /etc/
USER 65532:65532
WORKDIR /tmp
ENV PATH=/opt/ratchet/bin:/usr/bin:/bin
CMD ["/opt/ratchet/bin/operator"]
