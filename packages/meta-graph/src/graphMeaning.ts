import { type Meaning, type Rejection, rejection } from "@parley/provider-kit"
import { codesOf, type GraphError } from "./GraphError.js"

/** The meanings of the errors of one of Meta's products. */
export interface GraphMeanings {
  /**
   * By code and subcode (`10/2018278`), by a code with any other subcode (`10/*`), and by code alone (`10`). Unlisted
   * codes from 200 to 299 have those of 200.
   */
  readonly meanings: { readonly [codes: string]: Meaning }
  /** The token is not valid. Also applies to unlisted errors with status 401. */
  readonly noAccess: Rejection
  /** The text for an unlisted error. */
  readonly refused: string
}

/** The meaning of an error. An unlisted one is classified by the HTTP status (null: the error came in a receipt). */
export const graphMeaning =
  ({ meanings, noAccess, refused }: GraphMeanings) =>
  (error: Pick<GraphError, "code" | "subcode" | "isTransient">, status: number | null): Meaning => {
    const { code, isTransient, subcode } = error
    const meaningOfCode = (code: number): Meaning | undefined =>
      meanings[codesOf({ code, subcode })] ?? (subcode === null ? undefined : meanings[`${code}/*`]) ?? meanings[code]
    const known = meaningOfCode(code) ?? (code >= 200 && code <= 299 ? meaningOfCode(200) : undefined)
    if (known !== undefined) return known
    if (status === 429) return { kind: "throttled" }
    if (status === 401) return noAccess
    return isTransient || (status !== null && status >= 500) ? { kind: "transient" } : rejection("message", refused)
  }
