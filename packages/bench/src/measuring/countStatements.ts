import Pg from "pg"

let statements = 0

/** How many statements this process has given Postgres since {@link countStatements}. */
export const statementsSoFar = (): number => statements

/** Counts every statement from now on, those apart that are sent in one text. */
export const countStatements = (): void => {
  const { query } = Pg.Client.prototype
  Pg.Client.prototype.query = function (this: Pg.Client, ...given: Array<any>) {
    const text: string = typeof given[0] === "string" ? given[0] : given[0].text
    statements += text.split(";").filter((one) => one.trim() !== "").length
    return (query as (...given: Array<any>) => any).apply(this, given)
  } as typeof query
}
