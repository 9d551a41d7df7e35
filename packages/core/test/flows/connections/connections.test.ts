import {
  aConnection,
  aJob,
  aWorkspace,
  channelsNamed,
  makeTestIds,
  someTime,
  someWorkspaceId
} from "@parley/testkit/rows"
import { Either, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { accountKeys, type Holder } from "../../../src/flows/connections/accounts.js"
import { decodeConnectionInput, decodeConnectionPatch } from "../../../src/flows/connections/ConnectionInput.js"
import { createConnection } from "../../../src/flows/connections/createConnection.js"
import { readAccount } from "../../../src/flows/connections/readAccount.js"
import { updateConnection } from "../../../src/flows/connections/updateConnection.js"
import type { Connection } from "../../../src/model/Connection.js"
import { type Job, neverDue } from "../../../src/model/Job.js"
import type { ChannelProvider, ChannelProviders } from "../../../src/ports/ChannelProvider.js"
import { ConnectionResource, connectionResource } from "../../../src/resources/channels/ConnectionResource.js"
import { channelProviders } from "../../../src/resources/channels/channelProviders.js"
import { agreed, audit, refused } from "../../outcomes.js"

const carrier: ChannelProvider = {
  kind: "carrier",
  channels: channelsNamed("whatsapp", "telegram"),
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
  },
  webhook: {
    verify: () => false,
    parse: () => {
      throw new Error("not asked for here")
    },
    accountOf: ({ config }) => (config.number_id === undefined ? null : String(config.number_id))
  }
}
const providers: ChannelProviders = channelProviders([carrier])
const input = {
  workspace_id: someWorkspaceId,
  channel: "whatsapp",
  provider: "carrier",
  name: "Front desk",
  handle: "+49 30 123456",
  config: { number_id: "1" },
  credentials: { token: "secret" }
}
const capabilities = {
  textMaxLength: null,
  templates: false,
  deliveryReceipts: false,
  readReceipts: false,
  serviceWindowHours: null
}
const onWire = (connection: Connection) =>
  Schema.encodeSync(ConnectionResource)(connectionResource(connection, null, capabilities))
const seal = (secret: string) => `sealed:${secret.length}`
const create = (
  body: { readonly [field: string]: unknown },
  holders: ReadonlyArray<Holder> = [],
  workspace: ReturnType<typeof aWorkspace> | null = aWorkspace()
) => {
  const decoded = decodeConnectionInput({ ...input, ...body })
  const command = { decoded, account: readAccount(providers, decoded.value), seal }
  return createConnection({ workspace: workspace ?? undefined, holders }, command, someTime, makeTestIds())
}
const elsewhere = "01900000-0000-7000-8000-0000000000c1"
const holder = (given: Partial<Connection> = {}) =>
  aConnection({ provider: "carrier", handle: "+4930123456", ...given })
/** The accounts that a connection holds. */
const held = (connection: Connection): ReadonlyArray<Holder> =>
  accountKeys(providers.byKind.get(connection.provider), connection).map((key) => ({
    account: { ...key, workspaceId: connection.workspaceId, connectionId: connection.id },
    connection
  }))

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
    const { id, name } = holder()
    const problem = [`is already connected in this workspace, by ${name} (${id})`]
    expect(refused(create({}, held(holder()))).details).toEqual({ handle: problem })
    expect(refused(create({}, held(holder({ status: "paused" })))).details).toEqual({ handle: problem })
    const other = holder({ handle: "+4930999999", config: { number_id: "1" } })
    expect(refused(create({}, held(other))).details).toEqual({ config: problem })
    const foreign = refused(create({}, held({ ...other, workspaceId: elsewhere })))
    expect(foreign.code).toBe("connection_owned_elsewhere")
    expect(JSON.stringify([foreign.message, foreign.details])).not.toContain(id)
  })
  it("claims its handle and the vendor's id", () => {
    expect(agreed(create({})).changes?.claims.map(({ row }) => row)).toMatchObject([
      { space: "handle", name: "+4930123456" },
      { space: "vendor", name: "1" }
    ])
  })
  it("takes over the account of a disconnected connection, unless that one is activated", () => {
    const gone = holder({ status: "disconnected", workspaceId: elsewhere })
    const { changes, result } = agreed(create({}, held(gone)))
    expect(changes?.sets).toMatchObject([{ key: { name: gone.handle }, values: { connectionId: result.id } }])
    expect(changes?.expects).toMatchObject([
      { table: "accounts", where: { connectionId: gone.id } },
      { table: "connections", key: { id: gone.id }, where: { status: "disconnected" } },
      { table: "workspaces" }
    ])
  })
  it("accepts any number of sandbox connections of one account", () => {
    expect(accountKeys(undefined, holder({ provider: "sandbox" }))).toEqual([])
  })
})

const connection = holder({ config: { number_id: "1" } })
const update = (
  body: { readonly [field: string]: unknown },
  present = connection,
  holders: ReadonlyArray<Holder> = held(present),
  jobs: ReadonlyArray<Job> = []
) =>
  updateConnection(
    { connection: present, provider: providers.byKind.get(present.provider), holders, jobs },
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
  it("makes its recurring jobs due if the settings change, but for parked ones", () => {
    const poll = aJob({ id: connection.id, lane: "fetches", runAt: someTime + 86_400_000, epoch: 7 })
    const jobs = [poll, aJob({ id: elsewhere, lane: "parked", runAt: neverDue })]
    const setsOf = (body: Parameters<typeof update>[0]) =>
      agreed(update(body, connection, [], jobs)).changes?.sets.filter(({ table }) => table === "jobs")
    const due = [{ table: "jobs", key: { id: poll.id }, values: { runAt: someTime } }]
    expect(setsOf({ config: { number_id: "1" } })).toEqual(due)
    expect(setsOf({ credentials: { token: "new" } })).toEqual(due)
    expect(setsOf({ name: "X" })).toEqual([])
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
    expect(agreed(update({ status: "active" }, gone)).changes?.expects).toMatchObject([
      { table: "accounts", where: { connectionId: gone.id } },
      { table: "accounts", where: { connectionId: gone.id } },
      { table: "connections" }
    ])
    expect(agreed(update({ status: "active" }, gone, [])).changes?.claims).toHaveLength(2)
    expect(refused(update({ status: "paused" }, gone, held(holder(other)))).details).toHaveProperty("handle")
    const foreign = held(holder({ ...other, workspaceId: elsewhere }))
    expect(refused(update({ status: "active" }, gone, foreign)).code).toBe("connection_owned_elsewhere")
    expect(agreed(update({ name: "Old" }, gone, foreign)).changes?.claims).toEqual([])
  })
  it("claims another account with the settings that name it, and releases the former", () => {
    const other = holder({ id: elsewhere, handle: "+4930999999", config: { number_id: "2" } })
    expect(refused(update({ config: { number_id: "2" } }, connection, held(other))).details).toHaveProperty("config")
    const { changes } = agreed(update({ config: { number_id: "3" } }))
    expect(changes?.claims).toMatchObject([{ row: { name: "3" } }])
    expect(changes?.deletes).toMatchObject([{ key: { name: "1" } }])
    expect(agreed(update({ config: { number_id: "3" }, status: "disconnected" })).changes?.claims).toEqual([])
  })
  it("changes a connection that shares its account with an older one", () => {
    const older = held(holder({ id: elsewhere, config: { number_id: "1" } }))
    const { changes, result } = agreed(update({ config: { number_id: "1" }, status: "paused" }, connection, older))
    expect(result.status).toBe("paused")
    expect(changes).toMatchObject({ claims: [], deletes: [] })
  })
  it("refuses settings of a provider that is not installed", () => {
    expect(refused(update({ config: {} }, holder({ provider: "gone" }))).details).toEqual({
      config: ["cannot be changed while the provider is not installed"]
    })
    expect(agreed(update({ status: "paused" }, holder({ provider: "gone" }))).result.status).toBe("paused")
  })
})
