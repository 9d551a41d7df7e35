import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { parse, stringify } from "yaml"
import { temporaryFolder } from "./processes.js"

const root = fileURLToPath(new URL("../../../", import.meta.url))
const read = (file: string) => readFileSync(`${root}${file}`, "utf8")

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly annotations?: { readonly summary?: string }
}
interface Panel {
  readonly title: string
  readonly datasource: { readonly uid: string }
  readonly gridPos: { readonly x: number; readonly y: number }
  readonly targets: ReadonlyArray<{ readonly refId: string; readonly expr: string; readonly legendFormat: string }>
}
interface Dashboard {
  readonly panels: ReadonlyArray<Panel>
  readonly templating: {
    readonly list: ReadonlyArray<{ readonly name: string; readonly type: string; readonly definition?: string }>
  }
}

const rules = (
  parse(read("deploy/prometheus/alerts.yaml")) as { readonly groups: ReadonlyArray<{ rules: ReadonlyArray<Rule> }> }
).groups.flatMap((group) => group.rules)
const dashboard = JSON.parse(read("deploy/grafana/parley.json")) as Dashboard
const variables = dashboard.templating.list.map(({ name }) => `$${name}`)

/** The labels of each metric in the table of docs/metrics.md. */
const documented: ReadonlyMap<string, ReadonlyArray<string>> = new Map(
  [...read("docs/metrics.md").matchAll(/^\| (`(?:parley|process|nodejs)_.*?) \|/gm)].flatMap(([, cell = ""]) => {
    const quoted = [...cell.replace(/\(.*?\)/g, "").matchAll(/`(\w+)`/g)].map(([, name = ""]) => name)
    const isMetric = (name: string) => /^(parley|process|nodejs)_/.test(name)
    const labels = quoted.filter((name) => !isMetric(name))
    return quoted.filter(isMetric).map((name) => [name, labels] as const)
  })
)

/** Labels that Prometheus adds to every metric. */
const added = ["instance", "job"]

/** The documented metric that a series belongs to. Histograms have three series. */
const metricOf = (series: string): string => series.replace(/(_(?:seconds|size))_(?:bucket|sum|count)$/, "$1")

const seriesIn = (expr: string): ReadonlyArray<string> =>
  [...expr.matchAll(/\b(?:parley|process|nodejs)_\w+/g)].map(([name]) => name)

/** What an expression, with the legend of its series, names and docs/metrics.md does not have. */
const unknownIn = (expr: string, legend = ""): ReadonlyArray<string> => {
  const series = seriesIn(expr)
  const known = new Set([
    ...added,
    ...series.flatMap((name) => documented.get(metricOf(name)) ?? []),
    ...(series.some((name) => name.endsWith("_bucket")) ? ["le"] : [])
  ])
  const labels = [
    ...[...expr.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, name = ""]) => name),
    ...[...expr.matchAll(/\bby \((.*?)\)/g)].flatMap(([, names = ""]) => names.split(/,\s*/)),
    ...[...legend.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)].map(([, name = ""]) => name)
  ]
  return [...series.filter((name) => !documented.has(metricOf(name))), ...labels.filter((name) => !known.has(name))]
}

const targets = dashboard.panels.flatMap((panel) => panel.targets)

it("finds what a metric or label lacks in the document", () => {
  expect(documented.get("parley_webchat_refused_total")).toEqual(["limit", "of"])
  expect(documented.get("nodejs_heap_size_limit_bytes")).toEqual([])
  expect(unknownIn('sum by (le, lane) (rate(parley_commit_batch_size_bucket{of="x"}[5m]))')).toEqual(["of", "lane"])
  expect(unknownIn("parley_queue_jobs_count + parley_queue_jobs", "{{state}} {{ $labels.verdict }}")).toEqual([
    "parley_queue_jobs_count",
    "verdict"
  ])
})

describe("the alert rules", () => {
  it.each(rules.map((rule) => [rule.alert, rule] as const))("%s names documented metrics and labels", (_, rule) => {
    expect(seriesIn(rule.expr)).not.toEqual([])
    expect(unknownIn(rule.expr, rule.annotations?.summary)).toEqual([])
  })

  it.each(rules.map((rule) => [rule.alert, rule] as const))("%s says what to do in one sentence", (_, rule) => {
    const summary = rule.annotations?.summary?.replace(/\{\{.*?\}\}/g, "…")
    expect(summary).toMatch(/^[A-Z][^.]{20,130}\.$/)
  })
})

describe("the dashboard", () => {
  it.each(dashboard.panels.map((panel) => [panel.title, panel] as const))(
    "%s names documented metrics and labels",
    (_, panel) => {
      expect(panel.datasource.uid).toBe("$" + "{datasource}")
      for (const { expr, legendFormat } of panel.targets) {
        expect(seriesIn(expr)).not.toEqual([])
        expect(unknownIn(expr, legendFormat)).toEqual([])
      }
    }
  )

  it("has a variable for the data source, and defines the variables that it uses", () => {
    const list = dashboard.templating.list
    expect(list.find(({ name }) => name === "datasource")?.type).toBe("datasource")
    for (const { definition = "" } of list) expect(unknownIn(definition)).toEqual([])
    const used = targets.flatMap(({ expr }) => [...expr.matchAll(/\$\w+/g)].map(([name]) => name))
    expect(used.filter((name) => name !== "$__rate_interval" && !variables.includes(name))).toEqual([])
  })

  it("has no two panels in one place", () => {
    const places = dashboard.panels.map(({ gridPos }) => `${gridPos.x} ${gridPos.y}`)
    expect(new Set(places).size).toBe(places.length)
  })
})

// .ci/debianTools.mjs brings it here.
const debian = resolve("node_modules/.cache/prometheus/usr/bin/promtool")
const promtool = existsSync(debian) ? debian : "promtool"
const hasPromtool = spawnSync(promtool, ["--version"]).status === 0
describe.skipIf(!hasPromtool)(
  `promtool${hasPromtool ? "" : " (skipped: install promtool, which Debian's package prometheus has)"}`,
  () => {
    const run = (...given: ReadonlyArray<string>) => {
      const { status, stderr, stdout } = spawnSync(promtool, given, { encoding: "utf8" })
      expect([status, stderr]).toEqual([0, ""])
      return stdout
    }
    const check = (file: string) => run("check", "rules", file)

    it("passes the tests of the alert rules", () => {
      expect(run("test", "rules", `${root}deploy/prometheus/alerts.test.yaml`)).toContain("SUCCESS")
    })

    it("accepts the alert rules", () => {
      expect(check(`${root}deploy/prometheus/alerts.yaml`)).toContain(`SUCCESS: ${rules.length} rules found`)
    })

    it.scopedLive("accepts the expressions of the dashboard", () =>
      Effect.gen(function* () {
        const file = join(yield* temporaryFolder, "dashboard.yaml")
        const recorded = targets.map(({ expr }, index) => ({
          record: `dashboard:${index}`,
          expr: expr.replaceAll("$__rate_interval", "5m").replaceAll("$job", ".*")
        }))
        yield* Effect.promise(() =>
          writeFile(file, stringify({ groups: [{ name: "dashboard", rules: recorded }] }, { lineWidth: 0 }))
        )
        expect(check(file)).toContain(`SUCCESS: ${recorded.length} rules found`)
      })
    )
  }
)
