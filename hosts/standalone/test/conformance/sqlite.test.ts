import { conformance } from "@parley/testkit/conformance"
import { onSqlite, started } from "./deployments.js"

conformance("one process on SQLite", started(onSqlite))
