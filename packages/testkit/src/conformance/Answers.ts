import { Schema } from "effect"
import { expect } from "vitest"
import type { Answer } from "./Answer.js"
import { CursorLinks, CursorMeta, ErrorEnvelope, PageLinks, PageMeta } from "./Resources.js"
import { shaped } from "./shaped.js"

/** Checks the status of the response. */
export const expectStatus = ({ request, status, text }: Answer, expected: number): void =>
  expect(status, `${request} answered ${status} ${text.slice(0, 500)}`).toBe(expected)

/** The resource in `{ data: <resource> }` (docs/reference/requests.md#response-envelopes). */
export const resource = <A, I>(answer: Answer, status: number, schema: Schema.Schema<A, I>): A => {
  expectStatus(answer, status)
  return shaped(Schema.Struct({ data: schema }), answer.json, answer.request).data
}

/** A list by page number. */
export const page = <A, I>(answer: Answer, schema: Schema.Schema<A, I>) => {
  expectStatus(answer, 200)
  return shaped(
    Schema.Struct({ data: Schema.Array(schema), meta: PageMeta, links: PageLinks }),
    answer.json,
    answer.request
  )
}

/** A cursor list. It has a next link only if there are more rows. */
export const cursorPage = <A, I>(answer: Answer, schema: Schema.Schema<A, I>) => {
  expectStatus(answer, 200)
  const list = shaped(
    Schema.Struct({ data: Schema.Array(schema), meta: CursorMeta, links: CursorLinks }),
    answer.json,
    answer.request
  )
  expect(list.links.next !== null, answer.request).toBe(list.meta.has_more)
  return list
}

/** The details of an error response with this status and code. */
export const refusal = (answer: Answer, status: number, code: string): { readonly [name: string]: unknown } => {
  expectStatus(answer, status)
  const { error } = shaped(ErrorEnvelope, answer.json, answer.request)
  expect(error.code, answer.text).toBe(code)
  return error.details
}

/**
 * The fields that a 422 `validation_failed` names, each with its messages; `contact_id` is a text
 * (docs/reference/contacts.md#claimed-handles).
 */
export const problems = (answer: Answer): { readonly [field: string]: unknown } => {
  const { contact_id, ...fields } = refusal(answer, 422, "validation_failed")
  for (const [field, messages] of Object.entries(fields)) {
    expect(messages, field).toEqual(expect.arrayContaining([expect.stringMatching(/\S/)]))
  }
  return contact_id === undefined ? fields : { ...fields, contact_id }
}

/** The names of the fields in a 422 `validation_failed`, sorted. */
export const wrongFields = (answer: Answer): ReadonlyArray<string> => Object.keys(problems(answer)).sort()
