import { expect, layer } from "@effect/vitest"
import {
  type ChannelProvider,
  type CheckOutcome,
  type Connection,
  type ProviderTemplate,
  ProviderUnavailable
} from "@parley/core"
import { scriptedVendor } from "@parley/testkit"
import { Effect, Schema } from "effect"
import { administer, administerInVain, Hosts, hosts, newCaller } from "../hosts.js"

const unknownId = "01900000-0000-7000-8000-00000000dead"
const template: ProviderTemplate = {
  name: "hello",
  language: "en",
  category: "utility",
  body: "Hello {{1}}",
  status: "approved"
}

/** A vendor whose check returns the account's requirements, and whose account is the connection's handle. */
const vendor: ChannelProvider = {
  ...scriptedVendor,
  ...(scriptedVendor.webhook && {
    webhook: { ...scriptedVendor.webhook, accountOf: ({ handle }: Pick<Connection, "handle">) => handle }
  }),
  config: Schema.Struct({
    account: Schema.String.annotations({ title: "Account", description: "As the vendor shows it." })
  }),
  check: ({ config }) => Effect.succeed(outcomeOf(config.account, "Everything is well.")),
  setUp: ({ config }, _credentials, url) => Effect.succeed(outcomeOf(config.account, `Calls ${url}.`)),
  listTemplates: ({ config }) =>
    config.account === "ill"
      ? Effect.fail(new ProviderUnavailable({ reason: "the token is not valid any more" }))
      : Effect.succeed([template]),
  history: ({ config }, _credentials, cursor) => {
    switch (config.account) {
      case "ill":
        return Effect.succeed({ _tag: "Refused", problem: "The token is not valid any more." })
      case "away":
        return Effect.fail(new ProviderUnavailable({ reason: "no answer" }))
      case "later":
        return Effect.succeed({ _tag: "Requested", detail: "It comes by webhook." })
      default:
        return Effect.succeed({
          _tag: "Page",
          conversations: [conversation(cursor ?? "1")],
          cursor: cursor === null ? "2" : null
        })
    }
  }
}

const conversation = (number: string) => ({
  _tag: "History" as const,
  handle: number,
  displayName: `Customer ${number}`,
  messages: [
    {
      ...{ providerMessageId: number, direction: "inbound" as const, at: 1_700_000_000_000 },
      ...{ body: "Hello", attachments: [] }
    }
  ]
})

const outcomeOf = (account: unknown, detail: string): CheckOutcome =>
  account === "ill" ? { _tag: "Failing", problem: "The token is not valid any more." } : { _tag: "Working", detail }

const workspace = Effect.map(administer(201, "POST", "/workspaces", { name: "Acme" }), ({ id }) => String(id))

const connect = (account: string, more: object = {}) =>
  Effect.flatMap(workspace, (workspace_id) =>
    administer(201, "POST", "/connections", {
      workspace_id,
      channel: "telegram",
      provider: "vendor",
      name: "Shop",
      handle: `@${account}_${workspace_id}`,
      config: { account },
      credentials: { secret: "a secret" },
      ...more
    })
  )

for (const [name, live] of hosts(undefined, [vendor])) {
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`connections of the admin API on ${name}`, (it) => {
    it.effect("are created from the host's providers, and each lists its settings", () =>
      Effect.gen(function* () {
        const [sandbox, shown] = yield* administer(200, "GET", "/providers")
        expect(sandbox).toMatchObject({ kind: "sandbox", takes_webhooks: false, can_check: true, can_set_up: false })
        expect(shown).toEqual({
          kind: "vendor",
          channels: ["telegram", "facebook"],
          config: {
            $schema: "http://json-schema.org/draft-07/schema#",
            type: "object",
            required: ["account"],
            additionalProperties: false,
            properties: { account: { type: "string", title: "Account", description: "As the vendor shows it." } }
          },
          credentials: expect.objectContaining({ required: ["secret"] }),
          takes_webhooks: true,
          polls: false,
          can_check: true,
          can_set_up: true,
          syncs_templates: true,
          imports_history: true
        })
      })
    )

    it.effect("show their webhook URL, and never their credentials", () =>
      Effect.gen(function* () {
        const made = yield* connect("well")
        expect(made.webhook_url).toMatch(new RegExp(`^http://[^/]+/inbound/${made.id}$`))
        expect(made).toMatchObject({ held_until: null, status: "active" })
        expect(Object.keys(made)).not.toContain("credentials")
        expect(yield* administer(200, "GET", `/connections/${made.id}`)).toEqual(made)
        const sandbox = yield* connect("none", { provider: "sandbox", config: {}, credentials: null })
        expect(sandbox.webhook_url).toBeNull()
      })
    )

    it.effect("have the capabilities that applications see", () =>
      Effect.gen(function* () {
        const caller = yield* newCaller({ email: true })
        const { one } = yield* Hosts
        const channels = yield* one("GET", "/api/v1/channels", { token: caller.key })
        const seen = (channels.json as { readonly data: ReadonlyArray<{ readonly capabilities: object }> }).data
        const connections = yield* administer(200, "GET", `/connections?workspace_id=${caller.workspaceId}`)
        expect(connections).toHaveLength(1)
        expect(seen.map(({ capabilities }) => capabilities)).toEqual([connections[0].capabilities])
        expect(connections[0].capabilities).toMatchObject({ types: ["text", "template", "media"] })
      })
    )

    it.effect("are checked", () =>
      Effect.gen(function* () {
        const { id } = yield* connect("well")
        expect(yield* administer(200, "POST", `/connections/${id}/check`)).toEqual({
          status: "working",
          detail: "Everything is well."
        })
        const ill = yield* connect("ill")
        expect(yield* administer(200, "POST", `/connections/${ill.id}/check`)).toEqual({
          status: "failing",
          detail: "The token is not valid any more."
        })
        expect(yield* administerInVain("POST", `/connections/${unknownId}/check`)).toEqual([404, "not_found", {}])
      })
    )

    it.effect("register their webhook with the vendor, with an audit row", () =>
      Effect.gen(function* () {
        const { id, webhook_url, workspace_id } = yield* connect("well")
        expect(yield* administer(200, "POST", `/connections/${id}/setup`)).toEqual({
          status: "working",
          detail: `Calls ${webhook_url}.`
        })
        const entries = yield* administer(200, "GET", `/audit-log?workspace_id=${workspace_id}`)
        expect(entries[0]).toMatchObject({ action: "connection.set_up", subject_id: id })
        const ill = yield* connect("ill")
        expect(yield* administerInVain("POST", `/connections/${ill.id}/setup`)).toEqual([
          422,
          "channel_setup_failed",
          { provider: "vendor", problem: "The token is not valid any more." }
        ])
        const sandbox = yield* connect("none", { provider: "sandbox", config: {}, credentials: null })
        expect(yield* administerInVain("POST", `/connections/${sandbox.id}/setup`)).toMatchObject([
          422,
          "validation_failed",
          { provider: [expect.stringContaining("Enter the URL at the vendor, if it asks for one")] }
        ])
      })
    )

    it.effect("sync their account's templates, and keep those created by hand", () =>
      Effect.gen(function* () {
        const { id, workspace_id } = yield* connect("well")
        const own = {
          workspace_id,
          channel: "telegram",
          name: "own",
          language: "en",
          body: "By hand",
          status: "approved"
        }
        yield* administer(201, "POST", "/templates", own)
        yield* administer(201, "POST", "/templates", { ...own, name: "hello", body: "An older text", status: "draft" })
        const path = `/connections/${id}/sync-templates`
        expect(yield* administer(200, "POST", path)).toEqual({ created: 0, updated: 1 })
        expect(yield* administer(200, "POST", path)).toEqual({ created: 0, updated: 0 })
        const templates = yield* administer(200, "GET", `/templates?workspace_id=${workspace_id}`)
        expect(templates).toMatchObject([template, own])
        const { other } = yield* Hosts
        const ill = yield* connect("ill")
        const answer = yield* other("POST", `/admin/v1/connections/${ill.id}/sync-templates`, { token: "admin-token" })
        expect([answer.status, answer.error?.code]).toEqual([502, "provider_error"])
      })
    )

    it.effect("import what was written before, page by page, for those that may see the connection", () =>
      Effect.gen(function* () {
        const { id, workspace_id } = yield* connect("well")
        const path = `/connections/${id}/import-history`
        expect(yield* administer(200, "POST", path, {})).toEqual({ imported: 1, known: 0, cursor: "2", detail: null })
        const last = { imported: 1, known: 0, cursor: null, detail: null }
        expect(yield* administer(200, "POST", path, { cursor: "2" })).toEqual(last)
        expect(yield* administer(200, "POST", path, { cursor: null })).toMatchObject({ imported: 0, known: 1 })
        const entries = yield* administer(200, "GET", `/audit-log?workspace_id=${workspace_id}`)
        const imports = entries.filter(
          ({ action }: { readonly action: string }) => action === "connection.history_imported"
        )
        expect(imports).toMatchObject([{ subject_id: id }, { subject_id: id }])

        const { other } = yield* Hosts
        for (const [connection_ids, seen] of [
          [[id], ["Hello", "Hello"]],
          [[], []]
        ] as const) {
          const app = yield* administer(201, "POST", "/applications", {
            ...{ workspace_id, name: "Shop", mode: "live", scopes: ["messages.read"], connection_ids }
          })
          const { key } = yield* administer(201, "POST", `/applications/${app.id}/api-keys`)
          const shown = (path: string) =>
            Effect.map(
              other("GET", `/api/v1/conversations${path}`, { token: key }),
              ({ json }) =>
                (json as { readonly data: ReadonlyArray<{ readonly id: string; readonly body?: string }> }).data
            )
          const messages = yield* Effect.forEach(yield* shown(""), ({ id }) => shown(`/${id}/messages`))
          expect(messages.flat().map(({ body }) => body)).toEqual(seen)
        }
      })
    )

    it.effect("report why no history can be imported", () =>
      Effect.gen(function* () {
        const path = (id: unknown) => `/connections/${id}/import-history`
        const later = yield* connect("later")
        expect(yield* administer(200, "POST", path(later.id), {})).toEqual({
          ...{ imported: 0, known: 0, cursor: null },
          detail: "It comes by webhook."
        })
        const { other } = yield* Hosts
        for (const account of ["ill", "away"]) {
          const { id } = yield* connect(account)
          const answer = yield* other("POST", `/admin/v1${path(id)}`, { token: "admin-token", json: {} })
          expect([answer.status, answer.error?.code]).toEqual([502, "provider_error"])
        }
        const sandbox = yield* connect("none", { provider: "sandbox", config: {}, credentials: null })
        expect(yield* administerInVain("POST", path(sandbox.id), {})).toMatchObject([422, "validation_failed", {}])
        expect(yield* administerInVain("POST", path(later.id), { cursor: "x".repeat(2_001) })).toMatchObject([
          ...[422, "validation_failed"],
          { cursor: [expect.any(String)] }
        ])
        expect(yield* administerInVain("POST", path(unknownId), {})).toEqual([404, "not_found", {}])
      })
    )
  })
}
