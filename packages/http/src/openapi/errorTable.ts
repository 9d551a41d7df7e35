import { catalogue, type ErrorCode, errorCodes, type Retry, retryOf } from "@parley/core"

const retries: { readonly [retry in Retry]: string } = {
  "after Retry-After": "after `Retry-After` seconds",
  "with backoff": "with growing pauses and the same `Idempotency-Key`",
  no: "no"
}

/** The error catalogue as a table of Markdown: one row for each code (docs/reference/errors.md#error-envelope). */
export const errorTable = (): string =>
  ["| code | status | meaning | what to do | retry |", "|---|---|---|---|---|", ...errorCodes.map(row)].join("\n")

const row = (code: ErrorCode): string => {
  const { status, meaning, remedy } = catalogue[code]
  return `| \`${code}\` | ${status} | ${meaning} | ${remedy} | ${retries[retryOf(status)]} |`
}

/** The same as a collapsed section of a document's introduction. */
export const errorSection = (): string => `## Errors

<details>
<summary>Every code, what it means and what to do about it</summary>

${errorTable()}

</details>
`
