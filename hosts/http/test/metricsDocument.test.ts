import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const root = fileURLToPath(new URL("../../..", import.meta.url))

/** Names in a text that end as Prometheus' conventions have it. */
const namesIn = (text: string, quote: string): ReadonlyArray<string> =>
  [
    ...text.matchAll(
      new RegExp(`${quote}((?:parley|process|nodejs)_[a-z_]+_(?:total|seconds|bytes|size|jobs|info))${quote}`, "g")
    )
  ].map(([, name]) => name ?? "")

const sources = ["packages", "hosts"].flatMap((folder) =>
  readdirSync(`${root}/${folder}`).flatMap((member) => {
    const source = `${root}/${folder}/${member}/src`
    const files = readdirSync(`${root}/${folder}/${member}`).includes("src")
      ? readdirSync(source, { recursive: true, encoding: "utf8" })
      : []
    return files.filter((file) => file.endsWith(".ts")).map((file) => readFileSync(`${source}/${file}`, "utf8"))
  })
)

it("every metric is in the document, and none that is not there", () => {
  const made = new Set(sources.flatMap((text) => namesIn(text, '"')))
  const reported = new Set(namesIn(readFileSync(`${root}/docs/metrics.md`, "utf8"), "`"))
  expect(made.size).toBeGreaterThan(10)
  expect([...reported].sort()).toEqual([...made].sort())
})
