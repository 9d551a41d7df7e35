import { aConnection, aWorkspace, makeTestIds, someTime, someWorkspaceId } from "@parley/testkit/rows"
import { Either, Schema } from "effect"
import { describe, expect, it } from "vitest"
import {
  decodeConnectionInput,
  decodeConnectionPatch
} from "../../../src/administration/connections/ConnectionInput.js"
import { createConnection } from "../../../src/administration/connections/createConnection.js"
import { readAccount } from "../../../src/administration/connections/readAccount.js"
import { updateConnection } from "../../../src/administration/connections/updateConnection.js"
import type { Connection } from "../../../src/model/Connection.js"
import type { ChannelProvider, ChannelProviders } from "../../../src/ports/ChannelProvider.js"
import { ConnectionResource, connectionResource } from "../../../src/resources/channels/ConnectionResource.js"
import { agreed, audit, refused } from "../../outcomes.js"

const carrier: ChannelProvider = {
  kind: "carrier",
  channels: ["whatsapp", "telegram"],
  config: Schema.Struct({ number_id: Schema.String }),
  credentials: Schema.Struct({ token: Schema.String }),
  capabilities: () => {
    throw new Error("not asked for here")
  },
  parseHandle: (_channel, handle) =>
    handle.startsWith("+99") ? Either.left("must be served here") : Either.right(handle),
  dedupes: false,
  send: () => {
    throw new Error("not asked for here")
  }
}
const providers: ChannelProviders = { byKind: new Map([["carrier", carrier]]) }
const input = {
  workspace_id: someWorkspaceId,
  channel: "whatsapp",
  provider: "carrier",
  name: "Front desk",
  handle: "+49 30 123456",
  config: { number_id: "1" },
  credentials: { token: "secret" }
}
const onWire = (connection: Connection) => Schema.encodeSync(ConnectionResource)(connectionResource(connection, null))
const seal = (secret: string) => `sealed:${secret.length}`
const create = (
  body: { readonly [field: string]: unknown },
  same: ReadonlyArray<Connection> = [],
  workspace: ReturnType<typeof aWorkspace> | null = aWorkspace()
) => {
  const decoded = decodeConnectionInput({ ...input, ...body })
  const command = { decoded, account: readAccount(providers, decoded.value), seal }
  return createConnection({ workspace: workspace ?? undefined, same }, command, someTime, makeTestIds())
}
const elsewhere = "01900000-0000-7000-8000-0000000000c1"
const holder = (given: Partial<Connection> = {}) =>
  aConnection({ provider: "carrier", handle: "+4930123456", ...given })

describe("a new connection", () => {
  it("is active with a normalised handle", () => {
    expect(agreed(create({})).result).toMatchObject({ status: "active", isTest: false, handle: "+4930123456" })
  })
  it("seals its credentials and never returns them", () => {
    const decision = agreed(create({}))
    expect(decision.result.credentials).toBe(`sealed:${JSON.stringify(input.credentials).length}`)
    expect(JSON.stringify(decision.changes)).not.toContain("secret")
    expect(onWire(decision.result)).not.toHaveProperty("credentials")
    expect(audit(decision)).toEqual(["connection.created"])
  })
  it("keeps config fields of the provider and verdict_wait_ms", () => {
    const config = { number_id: "1", unknown: "x", verdict_wait_ms: 0 }
    expect(agreed(create({ config })).result.config).toEqual({ number_id: "1", verdict_wait_ms: 0 })
  })
  it("keeps its opt-out keywords and refuses invalid ones", () => {
    for (const opt_out of [false, { stop: ["Nix mehr"], start: [] }]) {
      const config = { number_id: "1", opt_out }
      expect(agreed(create({ config })).result.config).toEqual(config)
    }
    expect(Object.keys(refused(create({ config: { number_id: "1", opt_out: { stop: [] } } })).details)).toEqual([
      "config.opt_out"
    ])
  })
  it("reports problems of the provider's schemas by field", () => {
    expect(refused(create({ config: { verdict_wait_ms: -1 }, credentials: { token: 1 } })).details).toEqual({
      "config.number_id": ["is required"],
      "config.verdict_wait_ms": ["must be a whole number from 0 to 60000"],
      "credentials.token": ["must be a string"]
    })
    expect(refused(create({ config: null, credentials: null })).details).toEqual({
      "config.number_id": ["is required"],
      "credentials.token": ["is required"]
    })
  })
  it("requires an installed provider that serves the channel", () => {
    expect(refused(create({ provider: "pigeon" })).details).toEqual({ provider: ["must be one of carrier"] })
    expect(refused(create({ channel: "email", handle: "a@b.example" })).details).toEqual({
      channel: ["must be one of whatsapp, telegram with this provider"]
    })
  })
  it("refuses a handle that is invalid by our rules or the provider's", () => {
    expect(refused(create({ handle: "030" })).details).toEqual({
      handle: ["must be a phone number in E.164: + and 7 to 15 digits"]
    })
    expect(refused(create({ handle: "+99123456789" })).details).toEqual({ handle: ["must be served here"] })
  })
  it("refuses an unknown workspace", () => {
    expect(refused(create({}, [], null)).details).toEqual({ workspace_id: ["must be the id of a workspace"] })
  })
  it("refuses an account of its own or another workspace", () => {
    expect(refused(create({}, [holder()])).details).toEqual({ handle: ["is already connected in this workspace"] })
    expect(refused(create({}, [holder({ workspaceId: elsewhere })])).code).toBe("connection_owned_elsewhere")
  })
  it("accepts disconnected accounts and accounts of the sandbox", () => {
    expect(agreed(create({}, [holder({ status: "disconnected", workspaceId: elsewhere })])).result.status).toBe(
      "active"
    )
    expect(agreed(create({}, [holder({ provider: "sandbox" })])).result.status).toBe("active")
  })
})

const connection = holder({ config: { number_id: "1" } })
const update = (
  body: { readonly [field: string]: unknown },
  present = connection,
  same: ReadonlyArray<Connection> = []
) =>
  updateConnection(
    { connection: present, provider: providers.byKind.get(present.provider), same },
    { decoded: decodeConnectionPatch(body), seal },
    someTime,
    makeTestIds()
  )

describe("a connection update", () => {
  it("sets name and status", () => {
    const { result } = agreed(update({ name: "Back desk", status: "paused" }))
    expect(result).toEqual({ ...connection, name: "Back desk", status: "paused", version: 2 })
  })
  it("validates and replaces the whole config", () => {
    expect(agreed(update({ config: { number_id: "2" } })).result.config).toEqual({ number_id: "2" })
    expect(refused(update({ config: {} })).details).toEqual({ "config.number_id": ["is required"] })
  })
  it("audits new credentials", () => {
    const decision = agreed(update({ credentials: { token: "new" } }))
    expect(decision.result.credentials).toBe(`sealed:${JSON.stringify({ token: "new" }).length}`)
    expect(audit(decision)).toEqual(["connection.credentials_changed"])
    expect(audit(agreed(update({ name: "X" })))).toEqual([])
  })
  it("audits a new status", () => {
    expect(audit(agreed(update({ status: "paused" })))).toEqual(["connection.paused"])
    expect(audit(agreed(update({ status: "active" }, holder({ status: "paused" }))))).toEqual(["connection.activated"])
    expect(audit(agreed(update({ status: "active" })))).toEqual([])
  })
  it("refuses to change the account", () => {
    const body = {
      channel: "email",
      provider: "sandbox",
      handle: "+4930999999",
      is_test: false,
      workspace_id: elsewhere
    }
    expect(Object.keys(refused(update(body)).details).sort()).toEqual(Object.keys(body).sort())
    expect(agreed(update(onWire(connection))).result).toMatchObject({
      handle: connection.handle,
      isTest: true
    })
  })
  it("reactivates only an account that is still free", () => {
    const gone = holder({ status: "disconnected", config: { number_id: "1" } })
    const other = { id: elsewhere }
    expect(agreed(update({ status: "active" }, gone, [gone])).result.status).toBe("active")
    expect(refused(update({ status: "paused" }, gone, [gone, holder(other)])).details).toHaveProperty("handle")
    expect(refused(update({ status: "active" }, gone, [gone, holder({ ...other, workspaceId: elsewhere })])).code).toBe(
      "connection_owned_elsewhere"
    )
  })
  it("refuses settings of a provider that is not installed", () => {
    expect(refused(update({ config: {} }, holder({ provider: "gone" }))).details).toEqual({
      config: ["cannot be changed while the provider is not installed"]
    })
    expect(agreed(update({ status: "paused" }, holder({ provider: "gone" }))).result.status).toBe("paused")
  })
})
