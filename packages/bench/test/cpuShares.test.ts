import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import {
  type AllocationProfile,
  allocationShares,
  type CpuProfile,
  cpuShares,
  sharesTable
} from "../src/measuring/cpuShares.js"

const frame = (functionName: string, url = "", lineNumber = 0) => ({ functionName, url, lineNumber, columnNumber: 0 })

/** A profile in which each frame has a sample of its time in µs. */
const profileOf = (
  ...times: ReadonlyArray<readonly [frame: ReturnType<typeof frame>, micros: number]>
): CpuProfile => ({
  nodes: times.map(([callFrame], id) => ({ id, callFrame })),
  samples: times.map((_, id) => id),
  timeDeltas: times.map(([, micros]) => micros)
})

describe("cpuShares", () => {
  it("adds the times of parts up, without idle time and the loading of modules", () => {
    const shares = cpuShares(
      profileOf(
        [frame("(idle)"), 9_000],
        [frame("compileSourceTextModule", "node:internal/modules/esm/utils"), 5_000],
        [frame("(garbage collector)"), 100],
        [frame("runLoop", "/work/node_modules/.pnpm/effect@3/node_modules/effect/dist/esm/internal/x.js"), 300],
        [frame("query", "/work/node_modules/pg/lib/client.js"), 50],
        [frame("settle", "/work/packages/sql/src/settleBatch.ts"), 100],
        [frame("decide", "/work/packages/core/src/kernel/Decider.ts"), 150],
        [frame("decide", "/work/packages/core/src/kernel/Decider.ts"), 50],
        [frame("writev"), 250]
      ),
      ({ url }) => url
    )
    expect(Object.fromEntries(shares)).toEqual({
      Effect: 0.3,
      "the engine": 0.2,
      "the storage adapter": 0.1,
      "the rest of Parley": 0,
      "the program of the bench": 0,
      "the database driver": 0.05,
      "garbage collection": 0.1,
      "Node and other libraries": 0.25
    })
  })

  it("finds the sources of bundled code by its source map", () => {
    const folder = mkdtempSync(join(tmpdir(), "parley-shares-"))
    const file = join(folder, "bundle.js")
    const sources = ["node_modules/effect/dist/esm/Effect.js", "packages/core/src/Engine.ts"]
    // Line 1 is of the first source, line 2 of the second one.
    writeFileSync(`${file}.map`, JSON.stringify({ version: 3, sources, names: [], mappings: "AAAA;ACAA" }))
    const { href } = pathToFileURL(file)
    const shares = cpuShares(profileOf([frame("one", href, 0), 30], [frame("two", href, 1), 10]))
    expect(shares.get("Effect")).toBe(0.75)
    expect(shares.get("the engine")).toBe(0.25)
  })

  it("adds up what functions allocate, with those that they call", () => {
    const node = (callFrame: ReturnType<typeof frame>, selfSize: number, ...children: ReadonlyArray<object>) => ({
      callFrame,
      selfSize,
      children
    })
    const rule = node(frame("decide", "/work/packages/core/src/kernel/Decider.ts"), 300)
    const loop = node(frame("runLoop", "/work/node_modules/effect/dist/esm/internal/x.js"), 100, rule)
    const head = node(frame("(root)"), 5, loop) as AllocationProfile["head"]
    const shares = allocationShares({ head }, ({ url }) => url)
    expect([shares.get("Effect"), shares.get("the engine")]).toEqual([0.25, 0.75])
  })

  it("makes a table of the parts that take time", () => {
    const shares = cpuShares(profileOf([frame("(garbage collector)"), 1], [frame("writev"), 3]))
    expect(sharesTable("CPU", [["01 engine sqlite", shares]])).toBe(
      [
        "| CPU | garbage collection | Node and other libraries |",
        "| --- | ---: | ---: |",
        "| 01 engine sqlite | 25.0 % | 75.0 % |"
      ].join("\n")
    )
  })
})
