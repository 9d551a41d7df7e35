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
import { administer, administerInVain, Hosts, hosts } from "../hosts.js"

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
      : Effect.succeed([template])
}

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
          syncs_templates: true
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
  })
}
