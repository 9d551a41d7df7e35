import type { Family, Sample } from "../kernel/metrics/Family.js"

/** The media type of {@link prometheusText}. */
export const prometheusType = "text/plain; version=0.0.4; charset=utf-8"

/** Formats metrics in the Prometheus text format, version 0.0.4. */
export const prometheusText = (families: ReadonlyArray<Family>): string => families.map(paragraphOf).join("")

const paragraphOf = ({ help, name, samples, type }: Family): string => {
  const lines = samples.map((sample) => `${name}${sample.suffix}${labelsOf(sample)} ${numberOf(sample.value)}\n`)
  return `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n${lines.join("")}`
}

const labelsOf = ({ labels }: Sample): string => {
  const given = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`)
  return given.length === 0 ? "" : `{${given.join(",")}}`
}

const escaped = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")

const numberOf = (value: number): string =>
  value === Number.POSITIVE_INFINITY ? "+Inf" : value === Number.NEGATIVE_INFINITY ? "-Inf" : `${value}`
