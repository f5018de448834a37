/** Local time as `20260603T145812`, for names of folders. */
export function timeStamp(time: Date): string {
  const two = (number: number): string => String(number).padStart(2, "0");
  const day = `${time.getFullYear()}${two(time.getMonth() + 1)}${two(time.getDate())}`;
  return `${day}T${two(time.getHours())}${two(time.getMinutes())}${two(time.getSeconds())}`;
}
