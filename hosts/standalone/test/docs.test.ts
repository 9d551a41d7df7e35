import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { serveDemo, temporaryFolder } from "./processes.js"

it.scopedLive(
  "the bundled host has the documents, and every file of their pages",
  () =>
    Effect.gen(function* () {
      const { url } = yield* serveDemo(yield* temporaryFolder, {})
      const read = (path: string) =>
        Effect.promise(async () => {
          const response = await fetch(`${url}${path}`)
          return { status: response.status, text: await response.text() }
        })
      for (const prefix of ["/api/v1", "/admin/v1"]) {
        const document = JSON.parse((yield* read(`${prefix}/openapi.json`)).text)
        expect([document.openapi, document.servers]).toEqual(["3.1.0", [{ url: `${url}${prefix}` }]])
        const page = yield* read(`${prefix}/docs`)
        const files = [...page.text.matchAll(/(?:src|href)="([^":]+)"/g)].map(([, file]) => file)
        expect(files).toContain("docs/swagger-ui.js")
        for (const file of files) {
          const { status, text } = yield* read(`${prefix}/${file}`)
          expect([file, status, text.length > 0]).toEqual([file, 200, true])
        }
      }
    }),
  120_000
)
