import { describe, expect, it } from "@effect/vitest"
import { tableOf } from "@parley/sql"
import { FastCheck } from "effect"
import { portionsOf } from "../src/rowValues.js"

const { columns } = tableOf("tags")
const tag = (n: number) => ({ workspaceId: `w${n}`, folded: `f${n}`, name: `n${n}` })

describe("portionsOf", () => {
  it("contains every row once, in order, in sizes that are powers of two", () =>
    FastCheck.assert(
      FastCheck.property(FastCheck.nat(1_500), (count) => {
        const rows = Array.from({ length: count }, (_, n) => tag(n))
        const held = portionsOf(columns, rows).flatMap(({ parameters, size }) => {
          expect(Math.log2(size) % 1).toBe(0)
          expect(parameters).toHaveLength(size * columns.length + 1)
          return parameters.slice(0, (parameters.at(-1) as number) * columns.length)
        })
        expect(held).toEqual(rows.flatMap(({ folded, name, workspaceId }) => [workspaceId, folded, name]))
      }),
      { numRuns: 50 }
    ))

  it("writes types that SQLite does not have as text and numbers", () => {
    const kinds = ["text", "boolean", "json", "json", "integer"] as const
    const five = kinds.map((kind, n) => ({ name: `c${n}`, sql: `c${n}`, kind }))
    const [portion] = portionsOf(five, [{ c0: "a", c1: false, c2: ["x"], c3: null, c4: 5 }])
    expect(portion?.parameters).toEqual(["a", 0, '["x"]', null, 5, 1])
  })
})
