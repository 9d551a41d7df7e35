import { aJob, someTime } from "@parley/testkit/rows"
import { expect, it } from "vitest"
import { unsettledRunClaims } from "../../../../src/flows/workflows/runs/runJob.js"

const id = "01900000-0000-7000-8000-000000000001"
const payload = { task: "advance_run", contactId: "c", versionId: "v", settled: 7 }
const failure = { lane: "runs" as const, count: 20, since: someTime, error: "billing is down" }

it("counts the claims of a run whose process ended, and not those with a recorded failure", () => {
  expect(unsettledRunClaims(aJob({ id, attempts: 8, payload }))).toBe(1)
  expect(unsettledRunClaims(aJob({ id, attempts: 18, payload }))).toBe(11)
  expect(unsettledRunClaims(aJob({ id, attempts: 28, payload, failure }))).toBe(1)
})
