import { audit } from "../../src/audit/audit.js"
import type { World } from "../../src/audit/Journal.js"
import { type HandWritten, journalOf } from "./journalOf.js"

/** The promises that a journal breaks, each once. */
export const allBrokenBy = (
  script: (history: HandWritten) => void,
  changes: Partial<World> = {}
): ReadonlyArray<string> => [...new Set(audit(journalOf(script, changes)).map(({ promise }) => promise))]

/** {@link allBrokenBy}, where a response 503 needs no fault. */
export const brokenBy: typeof allBrokenBy = (script, changes) =>
  allBrokenBy(script, changes).filter((promise) => promise !== "service-is-available")
