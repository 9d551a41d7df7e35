/** The settings of the process. */
export const settingOf = <Setting>(): Setting => JSON.parse(process.argv[2] ?? "null")

/** Reports readiness and the URL, then answers orders until the parent exits. */
export const answerOrders = <Order>(answer: (order: Order) => Promise<unknown>, origin = ""): void => {
  process.on("disconnect", () => process.exit(0))
  process.on("message", (order) => {
    answer(order as Order).then(
      (result) => process.send?.(result ?? null),
      (error) => {
        process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
        process.exit(1)
      }
    )
  })
  process.send?.(origin)
}
