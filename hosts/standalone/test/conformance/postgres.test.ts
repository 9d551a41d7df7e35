import { conformance } from "@parley/testkit/conformance"
import { onPostgres, started } from "./deployments.js"

conformance("one process on Postgres", started(onPostgres))
