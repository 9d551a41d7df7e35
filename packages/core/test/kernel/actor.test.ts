import { anAuditEntry, aWorkspace, someWorkspaceId } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { withActor } from "../../src/kernel/actor.js"
import { changes, row } from "../../src/ports/Changes.js"

const inserts = (...actors: ReadonlyArray<string>) =>
  changes(someWorkspaceId, {
    inserts: [
      row("workspaces", aWorkspace()),
      ...actors.map((actor) => row("auditLog", anAuditEntry({ id: someWorkspaceId, actor })))
    ]
  })

describe("audit actor", () => {
  it("stamps the administrator's audit rows and changes nothing else", () => {
    expect(withActor(inserts("admin", "engine"), "admin: grace")).toEqual(inserts("admin: grace", "engine"))
  })
  it("leaves the changes alone without a name", () => {
    const unsigned = inserts("admin")
    expect(withActor(unsigned, "admin")).toBe(unsigned)
  })
})
