import { mkdir, readdir } from "node:fs/promises"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as DemoFile from "../src/demo/DemoFile.js"
import { temporaryFolder } from "./processes.js"

it.scopedLive("leaves nothing beside a demo file that cannot be written", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const path = DemoFile.pathIn(folder)
    yield* Effect.promise(() => mkdir(path))
    const { message } = yield* Effect.flip(DemoFile.begin(path))
    expect(message).toContain(`${path} cannot be written: E`)
    expect(yield* Effect.promise(() => readdir(folder))).toEqual(["demo.json"])
  })
)
