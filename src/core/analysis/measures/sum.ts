/**
 * Adds numbers with Neumaier's compensation, which is what Python's `sum` does from 3.12 on.
 * @param numbers the order matters for the last digit
 */
export function compensatedSum(numbers: Iterable<number>): number {
  let sum = 0;
  let lost = 0;
  for (const number of numbers) {
    const next = sum + number;
    lost += Math.abs(sum) >= Math.abs(number) ? sum - next + number : number - next + sum;
    sum = next;
  }
  return sum + lost;
}

/** `part / whole`, and 0 of nothing. */
export function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
