import { aWorkspace, makeTestIds, someTime } from "@parley/testkit"
import { describe, expect, it } from "vitest"
import type { Workspace, WorkspaceStatus } from "../../src/access/Workspace.js"
import { createWorkspace } from "../../src/admin/workspaces/createWorkspace.js"
import { updateWorkspace as decide } from "../../src/admin/workspaces/updateWorkspace.js"
import { workspaceDraft, workspacePatchDraft } from "../../src/admin/workspaces/WorkspaceInput.js"
import { agreed, audit, refused } from "./outcomes.js"

const updateWorkspace = (present: Workspace | undefined, patch: ReturnType<typeof workspacePatchDraft>) =>
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
  it("begins active", () => {
    const { result } = agreed(createWorkspace(workspaceDraft({ name: "Bakery" }), someTime, makeTestIds()))
    expect(result).toMatchObject({ name: "Bakery", defaultLanguage: null, status: "active", createdAt: someTime })
  })
  it("needs a name", () => {
    expect(refused(createWorkspace(workspaceDraft({}), someTime, makeTestIds())).details).toEqual({
      name: ["is required"]
    })
  })
  it("goes by UTC, unless a time zone is named", () => {
    const timezoneOf = (timezone: unknown) =>
      agreed(createWorkspace(workspaceDraft({ name: "Bakery", timezone }), someTime, makeTestIds())).result.timezone
    expect(["", null, undefined].map(timezoneOf)).toEqual(["UTC", "UTC", "UTC"])
    expect(timezoneOf("Europe/Berlin")).toBe("Europe/Berlin")
    const moved = agreed(updateWorkspace(aWorkspace(), workspacePatchDraft({ timezone: "Asia/Kolkata" })))
    expect(moved.result.timezone).toBe("Asia/Kolkata")
    expect(moved.changes?.sets).toMatchObject([{ values: { timezone: "Asia/Kolkata" } }])
  })
  it.each(["Europe/Bakery", "+01:00", "contact", 1, "x".repeat(1_000)])("takes no time zone such as %s", (timezone) => {
    const details = { timezone: ["must be a time zone of the IANA list such as Europe/Berlin"] }
    const made = createWorkspace(workspaceDraft({ name: "Bakery", timezone }), someTime, makeTestIds())
    expect(refused(made).details).toEqual(details)
    expect(refused(updateWorkspace(aWorkspace(), workspacePatchDraft({ timezone }))).details).toEqual(details)
  })
  it("cannot be without a time zone", () => {
    for (const timezone of [null, ""]) {
      expect(refused(updateWorkspace(aWorkspace(), workspacePatchDraft({ timezone }))).details).toHaveProperty(
        "timezone"
      )
    }
  })
  for (const from of statuses) {
    for (const to of statuses) {
      const can = allowed.includes(`${from} ${to}`)
      it(`${can ? "can" : "cannot"} go from ${from} to ${to}`, () => {
        const decided = updateWorkspace(aWorkspace({ status: from }), workspacePatchDraft({ status: to }))
        if (can) expect(agreed(decided).result.status).toBe(to)
        else expect(refused(decided)).toMatchObject({ code: "invalid_tenant_transition", details: { from, to } })
      })
    }
  }
  it("keeps what a patch does not name, and clears what it nulls", () => {
    const { result } = agreed(updateWorkspace(aWorkspace(), workspacePatchDraft({ name: "Café" })))
    expect(result).toMatchObject({ name: "Café", defaultLanguage: "en", version: 2 })
    const cleared = agreed(updateWorkspace(aWorkspace(), workspacePatchDraft({ default_language: null })))
    expect(cleared.result).toMatchObject({ name: "Bakery", defaultLanguage: null })
  })
  it("has its making and every new status in the audit log", () => {
    const made = createWorkspace(workspaceDraft({ name: "Bakery" }), someTime, makeTestIds())
    expect(audit(agreed(made))).toEqual(["workspace.created"])
    const to = (from: WorkspaceStatus, patch: object) =>
      audit(agreed(updateWorkspace(aWorkspace({ status: from }), workspacePatchDraft({ ...patch }))))
    expect(to("active", { status: "suspended" })).toEqual(["workspace.suspended"])
    expect(to("active", { status: "unavailable" })).toEqual(["workspace.unavailable"])
    expect(to("suspended", { status: "active" })).toEqual(["workspace.activated"])
    expect(to("active", { name: "Café" })).toEqual([])
  })
  it("is not written by an empty patch", () => {
    expect(agreed(updateWorkspace(aWorkspace(), workspacePatchDraft({}))).changes).toBeNull()
  })
  it("is 404 where there is none", () => {
    expect(refused(updateWorkspace(undefined, workspacePatchDraft({}))).code).toBe("not_found")
  })
})
