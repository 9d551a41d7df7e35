import { aConnection, aTemplate, makeTestIds, someTime } from "@parley/testkit/rows"
import { Either } from "effect"
import { describe, expect, it } from "vitest"
import type { Template } from "../../../src/model/Template.js"
import type { RowOf } from "../../../src/ports/Changes.js"
import type { ProviderTemplate } from "../../../src/ports/ChannelProvider.js"
import { syncTemplates } from "../../../src/resources/templates/syncTemplates.js"

const id = "01900000-0000-7000-8000-0000000000a1"
const mine = aTemplate({ id, name: "order_ready", language: "en", body: "Ready: {{1}}", status: "pending" })
const theirs = (given: Partial<ProviderTemplate> = {}): ProviderTemplate => ({
  name: "order_ready",
  language: "en",
  category: "utility",
  body: "Ready: {{1}}",
  status: "pending",
  ...given
})
const sync = (present: ReadonlyArray<Template>, reported: ReadonlyArray<ProviderTemplate>) =>
  Either.getOrThrow(syncTemplates(present, aConnection({ channel: "whatsapp" }), reported, someTime, makeTestIds()))

describe("templates of a vendor", () => {
  it("are created if new, in the connection's workspace and on its channel", () => {
    const { changes, result } = sync([mine], [theirs({ language: "de", body: "Fertig: {{1}}", status: "approved" })])
    expect(result).toEqual({ created: 1, updated: 0 })
    const { channel, workspaceId } = aConnection({ channel: "whatsapp" })
    expect(((changes?.claims ?? []) as ReadonlyArray<RowOf<"templates">>).map(({ row }) => row)).toMatchObject([
      { workspaceId, channel, name: "order_ready", language: "de", body: "Fertig: {{1}}", status: "approved" }
    ])
  })
  it("take the vendor's text, category and status", () => {
    const { changes, result } = sync([mine], [theirs({ status: "approved" })])
    expect(result).toEqual({ created: 0, updated: 1 })
    expect(changes?.sets).toMatchObject([{ table: "templates", key: { id }, values: { status: "approved" } }])
    expect(changes?.expects).toMatchObject([{ table: "templates", key: { id }, where: { version: mine.version } }])
  })
  it("stay unchanged without a difference, or if the vendor does not list them", () => {
    expect(sync([mine], [theirs()])).toEqual({ changes: null, result: { created: 0, updated: 0 } })
    expect(sync([mine], [])).toEqual({ changes: null, result: { created: 0, updated: 0 } })
  })
  it("are applied once if listed twice, with the last values", () => {
    const { changes, result } = sync([], [theirs({ status: "pending" }), theirs({ status: "approved" })])
    expect(result).toEqual({ created: 1, updated: 0 })
    expect(changes?.claims).toMatchObject([{ row: { status: "approved" } }])
  })
})
