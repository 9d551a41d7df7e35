import { Effect, Either, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { cursors } from "../../src/input/Cursor.js"
import { listByCursor } from "../../src/input/CursorList.js"
import { listQueryDraft } from "../../src/input/ListQuery.js"

const numbers = [9, 7, 5, 3, 1]
const list = (query: object, filters: { readonly [name: string]: string | null | undefined } = { colour: "red" }) =>
  Effect.runSync(
    Effect.either(
      listByCursor(
        {
          cursors: cursors("numbers", Schema.Number),
          filters,
          positionOf: (row: number) => row,
          load: (after, limit) =>
            Effect.succeed(numbers.filter((number) => after === null || number < after).slice(0, limit))
        },
        listQueryDraft({ ...query })
      )
    )
  )
const page = (query: object) => Either.getOrThrow(list(query))

describe("a list by cursor", () => {
  it("goes on behind the last row shown", () => {
    const first = page({ limit: "2" })
    expect(first.rows).toEqual([9, 7])
    const second = page({ limit: "3", cursor: first.nextCursor })
    expect(second).toEqual({ rows: [5, 3, 1], limit: 3, nextCursor: null })
  })
  it("has no cursor where the last page is full", () => {
    expect(page({ limit: "5" }).nextCursor).toBeNull()
    expect(page({ limit: "4" }).nextCursor).not.toBeNull()
  })
  it("tells of a cursor together with other problems", () => {
    const { nextCursor } = page({ limit: "2" })
    const refused = Either.flip(list({ limit: "0", cursor: nextCursor }, { colour: "blue" }))
    expect(Either.getOrThrow(refused)).toMatchObject({
      code: "validation_failed",
      details: {
        limit: ["must be a whole number from 1 to 100"],
        cursor: ["must be used with the filters that it was made with"]
      }
    })
  })
  it("does not judge a cursor by filters that could not be read", () => {
    const { nextCursor } = page({ limit: "2" })
    const refused = Either.flip(list({ limit: "0", cursor: nextCursor }, { colour: undefined }))
    expect(Object.keys(Either.getOrThrow(refused).details)).toEqual(["limit"])
  })
})
