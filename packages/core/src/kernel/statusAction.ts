/** Audit action of a status change, such as `application.suspended`; empty if the status is unchanged. */
export const statusAction = (subject: string, from: string, to: string | undefined): ReadonlyArray<string> =>
  to === undefined || to === from ? [] : [`${subject}.${to === "active" ? "activated" : to}`]
