import { expect, test } from "vitest"
import type { HandWritten } from "./journalOf.js"
import { brokenBy } from "./promisesOf.js"

/** Two messages to one conversation, and its list with the messages at these positions. */
const listed = (positions: ReadonlyArray<number>, hasMore = false) =>
  brokenBy((history) => {
    const ids = [history.send(), history.send()]
    const conversationOf = (id: string) =>
      (history.message(id, "queued") as { readonly conversation_id: string }).conversation_id
    const rows = positions.map((position) => history.message(ids[position] ?? "", "queued"))
    list(history, conversationOf(ids[0] ?? ""), rows, hasMore)
  })

const list = (history: HandWritten, conversationId: string, data: ReadonlyArray<object>, hasMore: boolean) =>
  history.call("shop", "GET", `/api/v1/conversations/${conversationId}/messages`, null, 200, {
    data,
    meta: { has_more: hasMore }
  })

test("a list has the accepted messages of its conversation, newest first", () => {
  expect(listed([0])).toEqual([])
  expect(listed([1, 0])).toEqual([])
  expect(listed([], true)).toEqual([])
})

test("a list that lacks a message, has it twice or is in another order", () => {
  expect(listed([])).toEqual(["list-is-complete-and-ordered"])
  expect(listed([0, 0])).toEqual(["list-is-complete-and-ordered"])
  expect(listed([0, 1])).toEqual(["list-is-complete-and-ordered"])
})
