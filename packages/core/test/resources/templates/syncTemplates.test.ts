import { aConnection, aTemplate, makeTestIds, someTime } from "@parley/testkit/rows"
import { Either } from "effect"
import { describe, expect, it } from "vitest"
import type { Template } from "../../../src/model/Template.js"
import type { RowOf } from "../../../src/ports/Changes.js"
import type { ProviderTemplate } from "../../../src/ports/ChannelProvider.js"
import { missingTemplates, syncTemplates } from "../../../src/resources/templates/syncTemplates.js"

const id = "01900000-0000-7000-8000-0000000000a1"
const account = "102290129340398"
const mine = aTemplate({
  id,
  name: "order_ready",
  language: "en",
  account,
  body: "Ready: {{1}}",
  status: "pending",
  statusAt: someTime
})
const theirs = (given: Partial<ProviderTemplate> = {}): ProviderTemplate => ({
  name: "order_ready",
  language: "en",
  category: "utility",
  body: "Ready: {{1}}",
  status: "pending",
  ...given
})
const connection = aConnection({ channel: "whatsapp" })
const askedAt = someTime + 10
const sync = (present: ReadonlyArray<Template>, reported: ReadonlyArray<ProviderTemplate>) =>
  Either.getOrThrow(
    syncTemplates(present, { connection, account, askedAt }, reported, someTime + 50_000, makeTestIds())
  )

describe("templates of a vendor", () => {
  it("are created if new, in the connection's workspace, on its channel and of its account", () => {
    const { changes, result } = sync([mine], [theirs({ language: "de", body: "Fertig: {{1}}", status: "approved" })])
    expect(result).toEqual({ created: 1, updated: 0 })
    const { channel, workspaceId } = connection
    expect(((changes?.claims ?? []) as ReadonlyArray<RowOf<"templates">>).map(({ row }) => row)).toMatchObject([
      {
        ...{ workspaceId, channel, account, name: "order_ready", language: "de", body: "Fertig: {{1}}" },
        ...{ status: "approved", statusAt: askedAt }
      }
    ])
  })
  it("take the vendor's text, category and status", () => {
    const { changes, result } = sync([mine], [theirs({ status: "approved" })])
    expect(result).toEqual({ created: 0, updated: 1 })
    expect(changes?.sets).toMatchObject([
      { table: "templates", key: { id }, values: { status: "approved", statusAt: askedAt } }
    ])
    expect(changes?.expects).toMatchObject([{ table: "templates", key: { id }, where: { version: mine.version } }])
  })
  it("stay unchanged without a difference, or if the vendor does not list them", () => {
    expect(sync([mine], [theirs()])).toEqual({ changes: null, result: { created: 0, updated: 0 } })
    expect(sync([mine], [])).toEqual({ changes: null, result: { created: 0, updated: 0 } })
  })
  it("keep a status that the vendor reported after it was asked for its list", () => {
    const paused = { ...mine, status: "paused", statusAt: askedAt + 1 } as const
    const { changes } = sync([paused], [theirs({ status: "approved", body: "It is ready: {{1}}" })])
    expect(changes?.sets).toMatchObject([{ key: { id }, values: { body: "It is ready: {{1}}" } }])
    expect(changes?.sets[0]?.values).not.toHaveProperty("status")
    expect(sync([{ ...paused, statusAt: askedAt }], [theirs({ status: "approved" })]).result.updated).toBe(1)
  })
  it("keep their status if the vendor's is not known, and are not created", () => {
    expect(sync([mine], [theirs({ status: null })]).changes).toBeNull()
    expect(sync([], [theirs({ status: null })]).changes).toBeNull()
  })
  it("of another account stay unchanged, beside those of this one", () => {
    const { changes, result } = sync([{ ...mine, account: "another" }], [theirs({ status: "approved" })])
    expect(result).toEqual({ created: 1, updated: 0 })
    expect(changes?.sets).toEqual([])
    expect(changes?.claims).toMatchObject([{ row: { account, status: "approved" } }])
  })
  it("take over those that were made by hand, where the account has none", () => {
    const handMade = { ...mine, id: "01900000-0000-7000-8000-0000000000a2", account: "" }
    const { changes, result } = sync([handMade], [theirs()])
    expect(result).toEqual({ created: 0, updated: 1 })
    expect(changes?.sets).toMatchObject([{ key: { id: handMade.id }, values: { account } }])
    for (const both of [
      [mine, handMade],
      [handMade, mine]
    ]) {
      expect(sync(both, [theirs()]).changes).toBeNull()
    }
  })
  it("are rejected if the account has them no more", () => {
    const others = [
      { ...mine, language: "de" },
      { ...mine, language: "fr", account: "" },
      { ...mine, language: "it", account: "another" }
    ]
    const missing = missingTemplates([mine, ...others], account, [theirs()])
    expect(missing).toMatchObject([{ name: "order_ready", language: "de", status: "rejected" }])
    const { changes } = sync([mine, ...others], missing)
    expect(changes?.sets).toMatchObject([{ values: { status: "rejected", statusAt: askedAt } }])
    expect(missingTemplates([mine], account, [theirs({ status: null })])).toEqual([])
  })
  it("are applied once if listed twice, with the last values", () => {
    const { changes, result } = sync([], [theirs({ status: "pending" }), theirs({ status: "approved" })])
    expect(result).toEqual({ created: 1, updated: 0 })
    expect(changes?.claims).toMatchObject([{ row: { status: "approved" } }])
  })
})
