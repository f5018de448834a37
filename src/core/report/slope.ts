export interface SlopePoint {
  readonly x: number;
  readonly y: number | null;
}

const FEWEST_POINTS = 3;

/**
 * Slope of the least-squares line through the measured points, in units of y per unit of x.
 * @returns null with fewer than three measured points, or when all stand at one x
 */
export function leastSquaresSlope(points: readonly SlopePoint[]): number | null {
  const measured = points.flatMap(({ x, y }) => (y === null ? [] : [{ x, y }]));
  if (measured.length < FEWEST_POINTS) return null;
  const meanX = mean(measured.map(({ x }) => x));
  const meanY = mean(measured.map(({ y }) => y));
  const covariance = sum(measured.map(({ x, y }) => (x - meanX) * (y - meanY)));
  const variance = sum(measured.map(({ x }) => (x - meanX) ** 2));
  return variance === 0 ? null : covariance / variance;
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
