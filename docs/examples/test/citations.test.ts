import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import GithubSlugger from "github-slugger"
import { describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const textFile = /\.(ts|tsx|mjs|cjs|sql|yaml|md)$/

/** Every text file of the repository, the ones that are not committed yet included. */
const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root })
  .toString()
  .split("\0")
  .filter((file) => textFile.test(file) && existsSync(join(root, file)))

const textOf = (file: string): string => readFileSync(join(root, file), "utf8")

const withoutCodeBlocks = (markdown: string): string => markdown.replace(/^```.*?^```/gms, "")

/** The slugs of a page's headings, as GitHub makes them. */
const slugsOf = (markdown: string): ReadonlySet<string> => {
  const slugger = new GithubSlugger()
  const headings = [...withoutCodeBlocks(markdown).matchAll(/^#{1,6} +(.+?) *$/gm)]
  return new Set(headings.map(([, heading = ""]) => slugger.slug(heading)))
}

/** By path from the root; null where there is no such page. */
const pages = new Map<string, ReadonlySet<string> | null>()
const slugsIn = (page: string): ReadonlySet<string> | null => {
  const known = pages.get(page)
  if (known !== undefined) return known
  const slugs = existsSync(join(root, page)) ? slugsOf(textOf(page)) : null
  pages.set(page, slugs)
  return slugs
}

const hasTarget = (page: string, slug: string | undefined): boolean => {
  const slugs = slugsIn(page)
  return slugs !== null && (slug === undefined || slugs.has(slug))
}

/** Pages that a text names by their path from the root, such as comments do. */
const cited = /\bdocs\/[\w./-]+\.md(?:#[\w-]+)?/g
/** Targets of links in Markdown, but for URLs. */
const linked = /\]\((?!\w+:)([^()\s]+)\)/g

/** The citations and links of a file that lead nowhere. */
const brokenIn = (file: string, text: string): ReadonlyArray<string> => {
  const citations = [...text.matchAll(cited)].map(([citation]) => ({ citation, path: citation }))
  const prose = file.endsWith(".md") ? withoutCodeBlocks(text) : ""
  const links = [...prose.matchAll(linked)].map(([, target = ""]) => ({
    citation: target,
    path: target.startsWith("#") ? file + target : join(dirname(file), target)
  }))
  return [...citations, ...links].flatMap(({ citation, path }) => {
    const [page = "", slug] = path.split("#")
    const exists = page.endsWith(".md") ? hasTarget(page, slug) : existsSync(join(root, page))
    return exists ? [] : [`${file}: ${citation}`]
  })
}

describe("citations and links", () => {
  it("resolve to existing pages and headings", () => {
    expect(files.flatMap((file) => brokenIn(file, textOf(file)))).toEqual([])
  })

  it("lead from the index to every page of the reference", () => {
    const index = textOf("docs/reference/README.md")
    const inFolder = files.filter((file) => file.startsWith("docs/reference/") && file !== "docs/reference/README.md")
    expect(inFolder.filter((file) => !index.includes(`](${file.slice("docs/reference/".length)})`))).toEqual([])
  })

  it("are found where page or heading is missing", () => {
    const reference = "docs/reference"
    const good = `(${reference}/messages.md#message-status) and (${reference}/README.md)`
    const bad = `(${reference}/messages.md#message-state) and (${reference}/message.md)`
    expect(brokenIn("packages/core/src/example.ts", `${good} ${bad}`)).toEqual([
      `packages/core/src/example.ts: ${reference}/messages.md#message-state`,
      `packages/core/src/example.ts: ${reference}/message.md`
    ])
    const links =
      "[a](errors.md#error-envelope), [b](#index), [c](../metrics.md), [d](../no-folder), [e](https://x.example)"
    expect(brokenIn(`${reference}/README.md`, links)).toEqual([
      `${reference}/README.md: #index`,
      `${reference}/README.md: ../no-folder`
    ])
  })
})

/** Citations of documents outside this repository. Links between its pages are not citations. */
const outside =
  /(?<![\w/-]|\]\()(?:decisions|engine|channels|spec|style)\.md\b|\bspec(?=[,;)])|\bthe spec\b|\bdecisions §|§ ?\d/gi

const outsideIn = (file: string, text: string): ReadonlyArray<string> =>
  text.split("\n").flatMap((line, index) => {
    const names = [...line.matchAll(outside)].map(([name]) => name)
    return names.length === 0 ? [] : [`${file}:${index + 1}: ${names.join(" ")}`]
  })

describe("citations of documents elsewhere", () => {
  const own = "docs/examples/test/citations.test.ts"

  it("do not occur", () => {
    expect(files.filter((file) => file !== own).flatMap((file) => outsideIn(file, textOf(file)))).toEqual([])
  })

  it("are distinguished from links to pages of this repository", () => {
    const cited = [
      "(decisions.md §7)",
      "(spec, Contact; decisions.md",
      "(§9)",
      "what channels.md says",
      "the spec's rules"
    ]
    for (const text of cited) expect(outsideIn("example.ts", text)).toHaveLength(1)
    const kept = [
      "docs/decisions/0001-effect-3.md",
      "docs/reference/channels.md#capabilities",
      "[a](channels.md)",
      "inspect, specify"
    ]
    for (const text of kept) expect(outsideIn("example.ts", text)).toEqual([])
  })
})
