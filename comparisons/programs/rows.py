"""The programs of the table: coordinates in Maven Central, a driver or a main class, and what they need."""

from dataclasses import dataclass, field

from small import Small, sections

OPENS = [
    f"--add-opens=java.base/{p}=ALL-UNNAMED"
    for p in ("java.lang", "java.lang.invoke", "java.lang.reflect", "java.io", "java.net", "java.nio", "java.util",
              "java.util.concurrent", "java.util.concurrent.atomic", "sun.nio.ch", "sun.nio.cs", "sun.security.action", "sun.util.calendar")
]


@dataclass
class Row:
    name: str
    deps: list
    main: str
    driver: str = None  # a file of drivers/
    args: list = field(default_factory=list)
    jvm: list = field(default_factory=list)
    jdks: tuple = (17, 25)
    parent: str = None
    bom: str = None
    ask: list = None  # paths to GET once it has printed `ready PORT`
    processors: list = field(default_factory=list)
    flags: list = field(default_factory=list)  # of javac
    maven: str = None  # a folder that Maven builds; `main` is then the jar file
    suite: list = None  # packages or classes of JUnit tests
    drop: str = None  # lines of the output that differ from run to run: a regular expression
    timeout: int = 600
    small: Small = None  # a section of small/
    stdin: str = None


def boot(version):
    return Row(
        f"Spring Boot {version}, web and JPA on H2",
        ["org.springframework.boot:spring-boot-starter-web", "org.springframework.boot:spring-boot-starter-data-jpa", "com.h2database:h2"],
        "boot.Shop", driver="Shop.java", parent=f"org.springframework.boot:spring-boot-starter-parent:{version}",
        args=["--server.port=0", "--logging.level.root=off", "--spring.main.banner-mode=off", "--spring.jpa.hibernate.ddl-auto=create",
              "--spring.jpa.open-in-view=false"],
        flags=["-parameters"], ask=["/items", "/items/2", "/items/9"],
    )


def small(section):
    """A program of a few lines."""
    main = section.words("main") or [section.main]
    jdks = tuple(int(n) for n in section.words("jdks")) or (17, 25)
    stdin = section.text("stdin")
    return Row(section.name, section.deps, main[0], args=[*main[1:], *section.words("args")], jvm=section.words("jvm"), jdks=jdks, small=section,
               processors=section.words("processors"), drop=section.text("drop"), timeout=900,
               stdin=stdin.replace("\\n", "\n") if stdin else None)


# why a row fails on rjvm, where that is known
CAUSES = {
    "exp4j 0.4": "Math.sin(2.5) is the nearest double, which HotSpot's own code misses by one place",
}

COMMONS = "org.apache.commons:commons-"
JUPITER = ["org.junit.platform:junit-platform-launcher:1.13.4", "org.junit.jupiter:junit-jupiter:5.13.4"]
VINTAGE = [*JUPITER, "org.junit.vintage:junit-vintage-engine:5.13.4", "junit:junit:4.13.2"]


def suite(name, coordinate, packages, extra=(), engines=JUPITER, **more):
    """The tests of a library: its jar file and the one of its tests."""
    return Row(f"tests of {name}", [coordinate, *extra, *engines], "Suite", driver="Suite.java", suite=packages,
               drop="^(?!suite: )", args=packages, timeout=1500, **more)


ROWS = [
    Row("Jackson 2.23", ["com.fasterxml.jackson.core:jackson-databind:2.23.0"], "Jackson2", driver="Jackson2.java"),
    Row("Jackson 3.3", ["tools.jackson.core:jackson-databind:3.3.0"], "Jackson3", driver="Jackson3.java"),
    Row("Netty 4.2, HTTP", ["io.netty:netty-all:4.2.18.Final"], "NettyHttp", driver="NettyHttp.java", ask=["/a", "/b?c=1"]),
    Row("Vert.x 5 web", ["io.vertx:vertx-web:5.0.7"], "VertxWeb", driver="VertxWeb.java", ask=["/hello/you", "/none"]),
    Row("gRPC 1.85, Netty", ["io.grpc:grpc-netty-shaded:1.85.1", "io.grpc:grpc-services:1.85.1"], "Grpc", driver="Grpc.java"),
    Row("Helidon 4.5 SE", ["io.helidon.webserver:helidon-webserver:4.5.0"], "HelidonSe", driver="HelidonSe.java", jdks=(25,), ask=["/greet/you"]),
    Row("Micronaut 4.10", ["io.micronaut:micronaut-http-server-netty", "io.micronaut.serde:micronaut-serde-jackson"], "hello.Application",
        driver="Micronaut.java", bom="io.micronaut.platform:micronaut-platform:4.10.8", ask=["/hello/you"], flags=["-parameters"],
        processors=["io.micronaut:micronaut-inject-java", "io.micronaut.serde:micronaut-serde-processor"], args=["-Dmicronaut.server.port=-1"],
        jvm=["-Dmicronaut.server.port=-1", "-Dmicronaut.banner.enabled=false"]),
    Row("Quarkus 3.34 REST", [], "quarkus-app/quarkus-run.jar", maven="quarkus", ask=["/hello/you"],
        jvm=["-Dquarkus.http.port={port}", "-Dquarkus.http.host=127.0.0.1", "-Dquarkus.banner.enabled=false", "-Dquarkus.log.level=OFF"]),
    boot("3.5.7"),
    boot("4.0.7"),
    Row("Hibernate 7.4 on H2", ["org.hibernate.orm:hibernate-core:7.4.15.Final", "com.h2database:h2:2.4.240"], "Orm", driver="Orm.java"),
    Row("Hibernate 6.6 on H2", ["org.hibernate.orm:hibernate-core:6.6.33.Final", "com.h2database:h2:2.4.240"], "Orm", driver="Orm.java"),
    Row("jOOQ 3.19 on H2", ["org.jooq:jooq:3.19.39", "com.h2database:h2:2.4.240"], "Jooq", driver="Jooq.java",
        jvm=["-Dorg.jooq.no-logo=true", "-Dorg.jooq.no-tips=true"]),
    Row("Lucene 9.12", ["org.apache.lucene:lucene-queryparser:9.12.3", "org.apache.lucene:lucene-analysis-common:9.12.3"], "Search",
        driver="Search.java"),
    Row("Lucene 10.4", ["org.apache.lucene:lucene-queryparser:10.4.0", "org.apache.lucene:lucene-analysis-common:10.4.0"], "Search",
        driver="Search.java", jdks=(25,)),
    Row("Groovy 4", ["org.apache.groovy:groovy:4.0.33"], "GroovyRun", driver="GroovyRun.java"),
    Row("Groovy 5", ["org.apache.groovy:groovy:5.0.8"], "GroovyRun", driver="GroovyRun.java"),
    Row("Clojure 1.12", ["org.clojure:clojure:1.12.3"], "Clj", driver="Clj.java"),
    Row("Kotlin 2.4 compiler", ["org.jetbrains.kotlin:kotlin-compiler-embeddable:2.4.21"], "Kotlin", driver="Kotlin.java"),
    Row("Scala 3.3 compiler", ["org.scala-lang:scala3-compiler_3:3.3.7"], "Scala", driver="Scala.java"),
    Row("GraalVM JavaScript 25", ["org.graalvm.polyglot:polyglot:25.0.4", "org.graalvm.polyglot:js-community:25.0.4@pom"], "Js", driver="Js.java",
        jdks=(25,), jvm=["-Dpolyglot.engine.WarnInterpreterOnly=false", "--enable-native-access=ALL-UNNAMED",
                         "--sun-misc-unsafe-memory-access=allow"]),
    Row("Hazelcast 5.7", ["com.hazelcast:hazelcast:5.7.0"], "Hz", driver="Hz.java", jvm=["-Dhazelcast.logging.type=none"]),
    Row("Kafka 4.4, KRaft", ["org.apache.kafka:kafka_2.13:4.4.0"], "Broker", driver="Broker.java"),
    Row("Flink 2.3 local job", ["org.apache.flink:flink-clients:2.3.0", "org.apache.flink:flink-streaming-java:2.3.0"], "Flink",
        driver="Flink.java", jvm=OPENS),
    Row("Spark 4.2 SQL local", ["org.apache.spark:spark-sql_2.13:4.2.0"], "SparkSql", driver="SparkSql.java", jvm=OPENS),
    suite("commons-lang3 3.20", COMMONS + "lang3:3.20.0", ["org.apache.commons.lang3.text", "org.apache.commons.lang3.builder"],
          [COMMONS + "lang3:3.20.0:tests", COMMONS + "text:1.14.0", "org.easymock:easymock:5.6.0", "org.hamcrest:hamcrest:3.0"],
          jvm=OPENS),  # tests that fail leave objects behind, at which others fail until a collection
    suite("commons-codec 1.19", "commons-codec:commons-codec:1.19.0", ["org.apache.commons.codec.language", "org.apache.commons.codec.net"],
          ["commons-codec:commons-codec:1.19.0:tests", COMMONS + "lang3:3.20.0", "commons-io:commons-io:2.21.0"]),
    suite("commons-collections 4.5", COMMONS + "collections4:4.5.0", ["org.apache.commons.collections4.list"],
          [COMMONS + "collections4:4.5.0:tests", COMMONS + "lang3:3.20.0"]),
    suite("commons-text 1.14", COMMONS + "text:1.14.0", ["org.apache.commons.text"],
          [COMMONS + "text:1.14.0:tests", "commons-io:commons-io:2.21.0"],
          jvm=["-Xmx6g"]),  # one test fills an array of 4 GB, rjvm's own limit is 1 GB
    suite("commons-csv 1.14", COMMONS + "csv:1.14.1", ["org.apache.commons.csv"], [COMMONS + "csv:1.14.1:tests", "com.h2database:h2:2.4.240"]),
    suite("commons-math 3.6", COMMONS + "math3:3.6.1", ["org.apache.commons.math3.linear"], [COMMONS + "math3:3.6.1:tests"], engines=VINTAGE),
    suite("commons-validator 1.10", "commons-validator:commons-validator:1.10.0", ["org.apache.commons.validator.routines"],
          ["commons-validator:commons-validator:1.10.0:tests", COMMONS + "lang3:3.20.0", COMMONS + "csv:1.14.1"]),
    suite("commons-io 2.21", "commons-io:commons-io:2.21.0", ["org.apache.commons.io.input"], ["commons-io:commons-io:2.21.0:tests", COMMONS + "lang3:3.20.0"]),
    suite("Guava's collections", "com.google.guava:guava:33.4.8-jre", ["GuavaSuite"], ["com.google.guava:guava-testlib:33.4.8-jre"], engines=VINTAGE),
    suite("commons-cli 1.10", "commons-cli:commons-cli:1.10.0", ["org.apache.commons.cli"],
          ["commons-cli:commons-cli:1.10.0:tests", COMMONS + "lang3:3.20.0", COMMONS + "text:1.14.0", "commons-io:commons-io:2.21.0",
           "org.mockito:mockito-core:5.24.0"]),
]
ROWS += [small(section) for section in sections()]
