import { Effect, Either, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { cursors } from "../../../src/kernel/input/Cursor.js"
import { listByCursor } from "../../../src/kernel/input/CursorList.js"
import { decodeListQuery } from "../../../src/kernel/input/ListQuery.js"

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
        decodeListQuery({ ...query })
      )
    )
  )
const page = (query: object) => Either.getOrThrow(list(query))

describe("listByCursor", () => {
  it("continues after the last row of the previous page", () => {
    const first = page({ limit: "2" })
    expect(first.rows).toEqual([9, 7])
    const second = page({ limit: "3", cursor: first.nextCursor })
    expect(second).toEqual({ rows: [5, 3, 1], limit: 3, nextCursor: null })
  })
  it("has no cursor after a full last page", () => {
    expect(page({ limit: "5" }).nextCursor).toBeNull()
    expect(page({ limit: "4" }).nextCursor).not.toBeNull()
  })
  it("reports a cursor problem together with others", () => {
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
  it("does not check the cursor against invalid filters", () => {
    const { nextCursor } = page({ limit: "2" })
    const refused = Either.flip(list({ limit: "0", cursor: nextCursor }, { colour: undefined }))
    expect(Object.keys(Either.getOrThrow(refused).details)).toEqual(["limit"])
  })
})
