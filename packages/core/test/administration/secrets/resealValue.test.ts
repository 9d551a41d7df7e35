import { makeTestIds, someTime, someWorkspaceId } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { resealValue } from "../../../src/administration/secrets/resealValue.js"
import type { SealedValue } from "../../../src/administration/secrets/SealedValue.js"
import { agreed, inserted } from "../../outcomes.js"

const endpoint: SealedValue = {
  place: "endpoints",
  column: "secret",
  id: "e",
  workspaceId: someWorkspaceId,
  applicationId: "a",
  version: 7,
  text: "old(whsec_1)"
}
const connection: SealedValue = {
  ...endpoint,
  place: "connections",
  column: "credentials",
  id: "c",
  applicationId: null,
  text: "old({})"
}
const workflow: SealedValue = { ...connection, place: "workflows", column: "secret", id: "w", text: "old(whsec_2)" }
const seal = (secret: string) => `new(${secret})`
const reseal = (stale: Parameters<typeof resealValue>[0]) => agreed(resealValue(stale, seal, someTime, makeTestIds()))

describe("resealValue", () => {
  it("keeps the secret and expects the row's version", () => {
    const { changes, result } = reseal({ value: endpoint, secret: "whsec_1" })
    expect(result).toBe("resealed")
    expect(changes?.expects).toEqual([{ table: "endpoints", key: { id: "e" }, where: { version: 7 } }])
    expect(changes?.sets).toEqual([{ table: "endpoints", key: { id: "e" }, values: { secret: "new(whsec_1)" } }])
  })

  it("writes the URL of an endpoint", () => {
    const decision = reseal({ value: { ...endpoint, column: "url" }, secret: "https://a.example" })
    expect(decision.changes?.sets).toEqual([
      { table: "endpoints", key: { id: "e" }, values: { url: "new(https://a.example)" } }
    ])
    expect(inserted(decision, "auditLog")).toMatchObject([{ action: "webhook_endpoint.url_resealed" }])
  })

  it("writes the credentials of a connection", () => {
    const { changes } = reseal({ value: connection, secret: "{}" })
    expect(changes?.sets).toEqual([{ table: "connections", key: { id: "c" }, values: { credentials: "new({})" } }])
  })

  it("writes the secret of a workflow", () => {
    const { changes } = reseal({ value: workflow, secret: "whsec_2" })
    expect(changes?.sets).toEqual([{ table: "workflows", key: { id: "w" }, values: { secret: "new(whsec_2)" } }])
  })

  it("writes the URL of one webhook call, also into a row without a version", () => {
    const common = { name: null, if: null, onError: "stop" } as const
    const actions = [
      { type: "add_tag", tag: "a", ...common },
      { type: "call_webhook", url: "old(https://a.example)", body: null, ...common },
      { type: "call_webhook", url: "old(https://b.example)", body: null, ...common }
    ] as const
    const definition = { conditions: null, actions }
    const call = { ...workflow, column: "definition", version: undefined, call: { definition, position: 1 } } as const
    const { changes } = reseal({ value: { ...call, place: "workflowVersions" }, secret: "https://a.example" })
    expect(changes?.expects).toEqual([{ table: "workflowVersions", key: { id: "w" }, where: {} }])
    expect(changes?.sets).toEqual([
      {
        table: "workflowVersions",
        key: { id: "w" },
        values: {
          definition: {
            conditions: null,
            actions: [actions[0], { ...actions[1], url: "new(https://a.example)" }, actions[2]]
          }
        }
      }
    ])
  })

  it("audits the row's resource", () => {
    expect(inserted(reseal({ value: endpoint, secret: "whsec_1" }), "auditLog")).toMatchObject([
      { action: "webhook_endpoint.secret_resealed", subjectId: "e", applicationId: "a", actor: "admin" }
    ])
    expect(inserted(reseal({ value: connection, secret: "{}" }), "auditLog")).toMatchObject([
      { action: "connection.credentials_resealed", subjectId: "c", applicationId: null }
    ])
    expect(inserted(reseal({ value: workflow, secret: "whsec_2" }), "auditLog")).toMatchObject([
      { action: "workflow.secret_resealed", subjectId: "w", applicationId: null }
    ])
  })

  it("writes nothing if the value cannot be opened or is current", () => {
    expect(reseal({ value: endpoint, secret: null })).toEqual({ changes: null, result: "unreadable" })
    expect(reseal(null)).toEqual({ changes: null, result: "kept" })
  })
})
