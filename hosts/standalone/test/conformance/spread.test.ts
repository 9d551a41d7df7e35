import { conformance } from "@parley/testkit/conformance"
import { spread, started } from "./deployments.js"

conformance("two hosts and two workers on one Postgres", started(spread))
