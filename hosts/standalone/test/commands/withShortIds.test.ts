import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { AdminClient, Page, Resource } from "../../src/commands/AdminClient.js"
import { CommandFailed } from "../../src/commands/CommandFailed.js"
import { withShortIds } from "../../src/commands/withShortIds.js"

const idOf = (end: string) => `0190a1b2-0000-7000-8000-${end}`
const rows = (...ends: ReadonlyArray<string>) => ends.map((end) => ({ id: idOf(end) }))

/** Lists two pages of each collection. */
const listed: Array<readonly [string, object]> = []
const list: AdminClient["list"] = (path, query) => {
  listed.push([path, query])
  if (path === "/workspaces") return Effect.succeed({ rows: [{ id: "x" }], hasMore: false, next: null })
  // As the API answers where a list needs a workspace, or is somewhere else.
  if (path === "/webhook-endpoints" || (path === "/conversations" && !("workspace_id" in query))) {
    const refused = { code: "not_found", message: "", details: {}, request_id: "" }
    return new CommandFailed({ message: "There is no such path.", refused })
  }
  if (path === "/teams") {
    const alike = ["0190a1b2-0000-7000-8000-00000000000b", "0190a1b2-0000-7000-9000-00000000000b"].map((id) => ({ id }))
    const next: Page = { rows: alike.slice(1), hasMore: false, next: null }
    return Effect.succeed({ rows: alike.slice(0, 1), hasMore: true, next: Effect.succeed(next) })
  }
  const second: Page = { rows: rows("00000000000b"), hasMore: false, next: null }
  return Effect.succeed({ rows: rows("00000000000a"), hasMore: true, next: Effect.succeed(second) })
}

const called: Array<readonly [string, object | undefined]> = []
const call: AdminClient["call"] = (_method, path, body) => {
  called.push([path, body])
  return Effect.succeed({})
}
const upload: AdminClient["upload"] = (path, query) => {
  called.push([path, query])
  return Effect.succeed({})
}
/** The path and the body that the API gets. */
const sent = (path: string, body?: Resource, workspaceId: string | null = "w") =>
  Effect.map(withShortIds({ call, list, upload }, { workspaceId }).call("POST", path, body), () => called.at(-1))

describe("short ids", () => {
  it.effect("are completed in paths, on any page of their collection", () =>
    Effect.gen(function* () {
      expect(yield* sent("/messages/00000000000b/webhooks?limit=1")).toEqual([
        `/messages/${idOf("00000000000b")}/webhooks?limit=1`,
        undefined
      ])
      expect(listed).toEqual([["/messages", { workspace_id: "w", limit: 1_000 }]])
      expect(yield* sent("/applications/00000000000a/api-keys/00000000000b")).toEqual([
        `/applications/${idOf("00000000000a")}/api-keys/${idOf("00000000000b")}`,
        undefined
      ])
    })
  )

  it.effect("are looked for in each workspace where a list needs one", () =>
    Effect.gen(function* () {
      expect(yield* sent("/conversations/00000000000b", {}, null)).toEqual([
        `/conversations/${idOf("00000000000b")}`,
        {}
      ])
      expect(listed.at(-1)).toEqual(["/conversations", { workspace_id: "x", limit: 1_000 }])
    })
  )

  it.effect("are completed in fields that name a resource", () =>
    Effect.gen(function* () {
      const fields = { application_id: "00000000000b", handle: "00000000000b", agent_id: null, limit: 3 }
      const complete = { ...fields, application_id: idOf("00000000000b") }
      expect(yield* sent("/bots", fields)).toEqual(["/bots", complete])
      yield* withShortIds({ call, list, upload }, { workspaceId: "w" }).list("/bots", fields)
      expect(listed.at(-1)).toEqual(["/bots", complete])
      const file = { bytes: new Uint8Array(1), contentType: "text/plain" }
      const { upload: uploadTo } = withShortIds({ call, list, upload }, { workspaceId: "w" })
      yield* uploadTo("/attachments", { application_id: "00000000000b" }, file)
      expect(called.at(-1)).toEqual(["/attachments", { application_id: idOf("00000000000b") }])
    })
  )

  it.effect("leave complete ids and other paths alone", () =>
    Effect.gen(function* () {
      for (const path of [
        `/messages/${idOf("00000000000c")}`,
        "/messages",
        "/contacts/15550123456",
        "/contacts/1555012345678"
      ]) {
        expect(yield* sent(path)).toEqual([path, undefined])
      }
    })
  )

  it.effect("that several ids end in are refused with those ids, and may be longer", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(sent("/teams/00000000000b"))
      expect(message).toBe(
        `2 ids end in 00000000000b. Give more of the one that you mean, such as 8000-00000000000b:
  0190a1b2-0000-7000-8000-00000000000b
  0190a1b2-0000-7000-9000-00000000000b`
      )
      expect(yield* sent("/teams/9000-00000000000b")).toEqual([
        "/teams/0190a1b2-0000-7000-9000-00000000000b",
        undefined
      ])
      const fields = { assigned_team_id: "8000-00000000000b" }
      expect(yield* sent("/bots", fields)).toEqual([
        "/bots",
        { assigned_team_id: "0190a1b2-0000-7000-8000-00000000000b" }
      ])
    })
  )

  it.effect("that are not found, or cannot be looked for, ask for the complete id", () =>
    Effect.gen(function* () {
      for (const path of ["/messages/00000000000c", "/webhook-endpoints/00000000000a"]) {
        const { message } = yield* Effect.flip(sent(path))
        expect(message).toMatch(/^No id that ends in 00000000000[ac] was found\. Give the complete id/)
      }
    })
  )
})
