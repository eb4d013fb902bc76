# The operator image: images/build operator ratchet/operator:0.2.0, which gives JDK and BASE by their digests in images/bases.
ARG JDK
ARG BASE

FROM ${JDK} AS build
WORKDIR /source
COPY . .
RUN ./mvnw -B -q package -DskipTests -DskipChecks -Dsbom && images/stage operator /stage

FROM ${BASE}
COPY --from=build /stage/opt /opt
COPY --from=build /stage/etc/passwd /stage/etc/group /etc/
USER 65532:65532
WORKDIR /tmp
ENV PATH=/opt/ratchet/bin:/usr/bin:/bin
CMD ["/opt/ratchet/bin/operator"]
