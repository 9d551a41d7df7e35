import { anAuditEntry, aWorkspace, someWorkspaceId } from "@parley/testkit"
import { describe, expect, it } from "vitest"
import { signed } from "../../src/access/actor.js"
import { changes, row } from "../../src/ports/Changes.js"

const inserts = (...actors: ReadonlyArray<string>) =>
  changes(someWorkspaceId, {
    inserts: [
      row("workspaces", aWorkspace()),
      ...actors.map((actor) => row("auditLog", anAuditEntry({ id: someWorkspaceId, actor })))
    ]
  })

describe("changes that are signed", () => {
  it("name the administrator in the audit log, and touch nothing else", () => {
    expect(signed(inserts("admin", "engine"), "admin: grace")).toEqual(inserts("admin: grace", "engine"))
  })
  it("are the same where the administrator does not say who it is", () => {
    const unsigned = inserts("admin")
    expect(signed(unsigned, "admin")).toBe(unsigned)
  })
})
