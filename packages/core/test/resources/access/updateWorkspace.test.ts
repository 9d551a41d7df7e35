import { aWorkspace, makeTestIds, someTime } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import type { Workspace, WorkspaceStatus } from "../../../src/model/Workspace.js"
import { createWorkspace } from "../../../src/resources/access/createWorkspace.js"
import { updateWorkspace as decide } from "../../../src/resources/access/updateWorkspace.js"
import { decodeWorkspaceInput, decodeWorkspacePatch } from "../../../src/resources/access/WorkspaceInput.js"
import { agreed, audit, refused } from "../../outcomes.js"

const updateWorkspace = (present: Workspace | undefined, patch: ReturnType<typeof decodeWorkspacePatch>) =>
  decide(present, patch, someTime, makeTestIds())

const statuses: ReadonlyArray<WorkspaceStatus> = ["active", "suspended", "unavailable"]
const allowed = [
  "active suspended",
  "suspended active",
  "active unavailable",
  "suspended unavailable",
  "unavailable active"
]

describe("a workspace", () => {
  it("is active at first", () => {
    const { result } = agreed(createWorkspace(decodeWorkspaceInput({ name: "Bakery" }), someTime, makeTestIds()))
    expect(result).toMatchObject({ name: "Bakery", defaultLanguage: null, status: "active", createdAt: someTime })
  })
  it("needs a name", () => {
    expect(refused(createWorkspace(decodeWorkspaceInput({}), someTime, makeTestIds())).details).toEqual({
      name: ["is required"]
    })
  })
  it("has the time zone UTC by default", () => {
    const timezoneOf = (timezone: unknown) =>
      agreed(createWorkspace(decodeWorkspaceInput({ name: "Bakery", timezone }), someTime, makeTestIds())).result
        .timezone
    expect(["", null, undefined].map(timezoneOf)).toEqual(["UTC", "UTC", "UTC"])
    expect(timezoneOf("Europe/Berlin")).toBe("Europe/Berlin")
    const moved = agreed(updateWorkspace(aWorkspace(), decodeWorkspacePatch({ timezone: "Asia/Kolkata" })))
    expect(moved.result.timezone).toBe("Asia/Kolkata")
    expect(moved.changes?.sets).toMatchObject([{ values: { timezone: "Asia/Kolkata" } }])
  })
  it.each(["Europe/Bakery", "+01:00", "contact", 1, "x".repeat(1_000)])("refuses the time zone %s", (timezone) => {
    const details = { timezone: ["must be a time zone of the IANA list such as Europe/Berlin"] }
    const made = createWorkspace(decodeWorkspaceInput({ name: "Bakery", timezone }), someTime, makeTestIds())
    expect(refused(made).details).toEqual(details)
    expect(refused(updateWorkspace(aWorkspace(), decodeWorkspacePatch({ timezone }))).details).toEqual(details)
  })
  it("cannot clear its time zone", () => {
    for (const timezone of [null, ""]) {
      expect(refused(updateWorkspace(aWorkspace(), decodeWorkspacePatch({ timezone }))).details).toHaveProperty(
        "timezone"
      )
    }
  })
  for (const from of statuses) {
    for (const to of statuses) {
      const can = allowed.includes(`${from} ${to}`)
      it(`${can ? "can" : "cannot"} go from ${from} to ${to}`, () => {
        const decided = updateWorkspace(aWorkspace({ status: from }), decodeWorkspacePatch({ status: to }))
        if (can) expect(agreed(decided).result.status).toBe(to)
        else expect(refused(decided)).toMatchObject({ code: "invalid_tenant_transition", details: { from, to } })
      })
    }
  }
  it("keeps fields that a patch omits and clears fields that it sets to null", () => {
    const { result } = agreed(updateWorkspace(aWorkspace(), decodeWorkspacePatch({ name: "Café" })))
    expect(result).toMatchObject({ name: "Café", defaultLanguage: "en", version: 2 })
    const cleared = agreed(updateWorkspace(aWorkspace(), decodeWorkspacePatch({ default_language: null })))
    expect(cleared.result).toMatchObject({ name: "Bakery", defaultLanguage: null })
  })
  it("has audit entries for its creation and each new status", () => {
    const made = createWorkspace(decodeWorkspaceInput({ name: "Bakery" }), someTime, makeTestIds())
    expect(audit(agreed(made))).toEqual(["workspace.created"])
    const to = (from: WorkspaceStatus, patch: object) =>
      audit(agreed(updateWorkspace(aWorkspace({ status: from }), decodeWorkspacePatch({ ...patch }))))
    expect(to("active", { status: "suspended" })).toEqual(["workspace.suspended"])
    expect(to("active", { status: "unavailable" })).toEqual(["workspace.unavailable"])
    expect(to("suspended", { status: "active" })).toEqual(["workspace.activated"])
    expect(to("active", { name: "Café" })).toEqual([])
  })
  it("is not written by an empty patch", () => {
    expect(agreed(updateWorkspace(aWorkspace(), decodeWorkspacePatch({}))).changes).toBeNull()
  })
  it("is 404 for an unknown id", () => {
    expect(refused(updateWorkspace(undefined, decodeWorkspacePatch({}))).code).toBe("not_found")
  })
})
