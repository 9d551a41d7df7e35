import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, it } from "@effect/vitest"
import { adminDescription, openApiDocument, publicDescription } from "../../src/index.js"

const redocly = join(dirname(createRequire(import.meta.url).resolve("@redocly/cli/package.json")), "bin/cli.js")
const config = fileURLToPath(new URL("../../redocly.yaml", import.meta.url))

/** The linter's findings on a document. Needs no network. */
const lint = async (document: unknown): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "parley-openapi-"))
  try {
    const file = join(folder, "openapi.json")
    writeFileSync(file, JSON.stringify(document))
    const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", CI: "true" }
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [redocly, "lint", file, "--config", config, "--format", "json"],
      { env, cwd: folder }
    ).catch((error: { readonly stdout: string }) => error)
    return stdout
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const problemsOf = (reported: string): ReadonlyArray<string> =>
  JSON.parse(reported).problems.map(
    ({ ruleId, message, location }: any) => `${ruleId}: ${message} ${location[0]?.pointer ?? ""}`
  )

for (const [name, description] of [
  ["public", publicDescription],
  ["administration's", adminDescription]
] as const) {
  it(`has no findings for the ${name} document`, { timeout: 60_000 }, async () => {
    expect(problemsOf(await lint(openApiDocument(description, "https://api.example.org")))).toEqual([])
  })
}

it("reports an example that does not match its schema", { timeout: 60_000 }, async () => {
  const document = JSON.parse(JSON.stringify(openApiDocument(publicDescription, "https://api.example.org")))
  document.paths["/messages"].post.requestBody.content["application/json"].examples.text.value.to = 1
  expect(problemsOf(await lint(document)).join()).toContain("no-invalid-media-type-examples")
})
