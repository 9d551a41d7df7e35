import { expect, it } from "@effect/vitest"
import { aContact } from "@parley/testkit/rows"
import { wait } from "../../../../src/flows/workflows/actions/wait.js"
import type { Wait } from "../../../../src/model/Action.js"
import { hour } from "../../../../src/model/Instant.js"
import type { Pending } from "../../../../src/model/Run.js"

const now = Date.parse("2026-05-04T03:00:00Z")
const untilNine: Wait = { type: "wait", until: "09:00", days: null, timezone: "contact" }

const begun = (action: Wait, timezone: string | null): Pending => {
  const state = wait(action, null, aContact({ timezone }), "America/New_York", now)
  if (state._tag !== "Later") throw new Error("it does not wait")
  expect(state.at).toBe(state.pending.until)
  return state.pending
}

it("ends at the time of the contact's time zone, else of the workspace's, and says which", () => {
  const inBerlin = { until: Date.parse("2026-05-04T07:00:00Z"), localTime: "09:00 in Europe/Berlin" }
  expect(begun(untilNine, "Europe/Berlin")).toMatchObject(inBerlin)
  const inNewYork = { until: Date.parse("2026-05-04T13:00:00Z"), localTime: "09:00 in America/New_York" }
  expect(begun(untilNine, null)).toMatchObject(inNewYork)
  expect(begun(untilNine, "GMT+2 (Berlin)")).toMatchObject({
    ...inNewYork,
    localTime: "09:00 in America/New_York, because the contact's time zone is not known"
  })
  expect(begun({ type: "wait", forMs: hour }, "Europe/Berlin")).not.toHaveProperty("localTime")
})

it("keeps its end when the contact's time zone changes", () => {
  const pending = begun(untilNine, "Europe/Berlin")
  const moved = aContact({ timezone: "Asia/Tokyo" })
  const until = pending.until ?? 0
  expect(wait(untilNine, pending, moved, "UTC", until - 1)).toMatchObject({ _tag: "Later", at: until, pending })
  expect(wait(untilNine, pending, moved, "UTC", until)).toMatchObject({
    _tag: "Done",
    detail: "waited until 2026-05-04T07:00:00.000Z, 09:00 in Europe/Berlin"
  })
})
