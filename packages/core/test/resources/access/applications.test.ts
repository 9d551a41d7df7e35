import {
  aConnection,
  anApplication,
  anEndpoint,
  aWorkspace,
  makeTestIds,
  someConnectionId,
  someTime,
  someWorkspaceId
} from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import type { Application } from "../../../src/model/Application.js"
import { decodeApplicationInput, decodeApplicationPatch } from "../../../src/resources/access/ApplicationInput.js"
import { createApplication } from "../../../src/resources/access/createApplication.js"
import { updateApplication } from "../../../src/resources/access/updateApplication.js"
import { agreed, audit, inserted, refused } from "../../outcomes.js"

const live = aConnection({ id: "01900000-0000-7000-8000-0000000000a1", isTest: false })
const connections = [aConnection(), live]
const stranger = "01900000-0000-7000-8000-0000000000a2"
const input = {
  workspace_id: someWorkspaceId,
  name: "Shop",
  mode: "test",
  scopes: ["messages.send"],
  connection_ids: [someConnectionId]
}
const create = (
  body: { readonly [field: string]: unknown },
  workspace: ReturnType<typeof aWorkspace> | undefined = aWorkspace()
) =>
  createApplication(
    { workspace, connections: workspace === undefined ? [] : connections },
    decodeApplicationInput({ ...input, ...body }),
    someTime,
    makeTestIds()
  )

describe("a new application", () => {
  it("is active and has the default limits", () => {
    expect(agreed(create({})).result).toMatchObject({
      status: "active",
      requestsPerMinute: 600,
      sendsPerMinute: 100,
      scopes: ["messages.send"],
      connectionIds: [someConnectionId]
    })
  })
  it("accepts one or both limits", () => {
    expect(agreed(create({ limits: { sends_per_minute: 7 } })).result).toMatchObject({
      requestsPerMinute: 600,
      sendsPerMinute: 7
    })
  })
  it.each([0, -1, 1.5, "600", null])("refuses a limit of %j", (limit) => {
    expect(refused(create({ limits: { requests_per_minute: limit } })).details).toEqual({
      "limits.requests_per_minute": ["must be a positive whole number"]
    })
  })
  it("removes duplicates from its lists", () => {
    const { result } = agreed(
      create({
        scopes: ["messages.send", "messages.send"],
        connection_ids: [someConnectionId, someConnectionId.toUpperCase()]
      })
    )
    expect(result).toMatchObject({ scopes: ["messages.send"], connectionIds: [someConnectionId] })
  })
  it("refuses connections of the other mode", () => {
    expect(refused(create({ connection_ids: [live.id] })).details).toEqual({
      connection_ids: ["must be connections marked as test"]
    })
    expect(refused(create({ mode: "live" })).details).toEqual({
      connection_ids: ["must be connections that are not marked as test"]
    })
  })
  it("refuses connections that are not of its workspace", () => {
    expect(refused(create({ connection_ids: [someConnectionId, stranger] })).details).toEqual({
      connection_ids: ["must be connections of the application's workspace"]
    })
  })
  it("refuses an unknown workspace without a problem at its connections", () => {
    const decided = createApplication(
      { workspace: undefined, connections: [] },
      decodeApplicationInput(input),
      someTime,
      makeTestIds()
    )
    expect(refused(decided).details).toEqual({ workspace_id: ["must be the id of a workspace"] })
  })
  it("reports all problems at once", () => {
    const { code, details } = refused(create({ name: "", mode: "prod", scopes: ["all"], connection_ids: [stranger] }))
    expect(code).toBe("validation_failed")
    expect(Object.keys(details).sort()).toEqual(["connection_ids", "mode", "name", "scopes.0"])
  })
  it("is in the audit log", () => {
    expect(audit(agreed(create({})))).toEqual(["application.created"])
  })
})

const application = anApplication({ mode: "test", connectionIds: [someConnectionId] })
const update = (
  body: { readonly [field: string]: unknown },
  present: ReturnType<typeof anApplication> | undefined = application,
  endpoints = [anEndpoint()]
) =>
  updateApplication(
    { application: present, connections, endpoints },
    decodeApplicationPatch(body),
    someTime,
    makeTestIds()
  )

describe("a change of an application", () => {
  it("is refused after another change of what its caller expects", () => {
    const narrow = { scopes: [], expect: { scopes: application.scopes, status: "active" } }
    expect(agreed(update(narrow)).result.scopes).toEqual([])
    const widened = { ...application, scopes: [...application.scopes, "leads.read" as const] }
    expect(refused(update(narrow, widened))).toMatchObject({
      code: "invalid_transition",
      details: { "expect.scopes": ["has another value now"] }
    })
  })
  it("keeps fields that the patch omits", () => {
    const { result } = agreed(update({ scopes: ["contacts.read"], limits: { sends_per_minute: 5 } }))
    expect(result).toEqual({ ...application, scopes: ["contacts.read"], sendsPerMinute: 5, version: 2 })
  })
  it("cannot change its mode or workspace, but may repeat them", () => {
    expect(refused(update({ mode: "live", workspace_id: stranger })).details).toEqual({
      mode: ["cannot be changed"],
      workspace_id: ["cannot be changed"]
    })
    expect(agreed(update({ mode: "test", workspace_id: someWorkspaceId })).changes).toBeNull()
  })
  it("changes nothing where it repeats the present values", () => {
    const { connectionIds, name, requestsPerMinute, scopes, status } = application
    const limits = { requests_per_minute: requestsPerMinute }
    const { changes, result } = agreed(update({ name, status, scopes, connection_ids: connectionIds, limits }))
    expect(changes).toBeNull()
    expect(result).toEqual(application)
  })
  it("refuses connections of the other mode or another workspace", () => {
    expect(refused(update({ connection_ids: [live.id, stranger] })).details).toEqual({
      connection_ids: ["must be connections of the application's workspace", "must be connections marked as test"]
    })
  })
  it("is in the audit log", () => {
    expect(audit(agreed(update({ status: "suspended" })))).toEqual(["application.suspended"])
    const suspended = anApplication({ status: "suspended" })
    expect(audit(agreed(update({ status: "active", scopes: [], connection_ids: [] }, suspended)))).toEqual([
      "application.activated",
      "application.scopes_changed",
      "application.connections_changed"
    ])
    expect(audit(agreed(update({ status: "active", name: "Kiosk" })))).toEqual(["application.updated"])
  })
  it("resumes waiting webhooks when a suspension ends, of disabled endpoints too", () => {
    const suspended = anApplication({ status: "suspended", scopes: ["webhooks.receive"] })
    const endpoints = [
      anEndpoint(),
      anEndpoint({ id: stranger, status: "disabled" }),
      anEndpoint({ status: "deleted" })
    ]
    expect(inserted(agreed(update({ status: "active" }, suspended, endpoints)), "jobs")).toMatchObject([
      { lane: "housekeeping", subject: anEndpoint().id, payload: { task: "resume_endpoint" } },
      { lane: "housekeeping", subject: stranger, payload: { task: "resume_endpoint" } }
    ])
    expect(inserted(agreed(update({ status: "active" }, application, endpoints)), "jobs")).toEqual([])
  })
  it("resumes waiting webhooks when the scope to receive them is granted", () => {
    const resumed = (body: { readonly [field: string]: unknown }, before: Partial<Application>) =>
      inserted(agreed(update(body, anApplication(before), [anEndpoint()])), "jobs").length
    expect(resumed({ scopes: ["webhooks.receive"] }, { scopes: [] })).toBe(1)
    expect(resumed({ scopes: ["webhooks.receive"] }, { scopes: ["webhooks.receive"] })).toBe(0)
    expect(resumed({ scopes: ["webhooks.receive"] }, { scopes: [], status: "suspended" })).toBe(0)
    expect(resumed({ status: "active" }, { scopes: [], status: "suspended" })).toBe(0)
  })
})
