(* SPDX-License-Identifier: MIT *)
(* work.ml - OCaml: closures, maps, exceptions, its collector, for ten minutes. *)
module M = Map.Make (String)

let rec deep n f = if n = 0 then f () else 1 + deep (n - 1) f

let sorted n =
  let l = List.init n (fun i -> string_of_int (i * 37 mod n)) in
  let l = List.sort compare l in
  let m = List.fold_left (fun m s -> M.add s (String.length s) m) M.empty l in
  M.fold (fun _ v a -> v + a) m 0

let caught n =
  try
    ignore (deep n (fun () -> raise Not_found));
    0
  with Not_found -> n

let () =
  let finish = Unix.gettimeofday () +. 600. in
  let total = ref 0 in
  while Unix.gettimeofday () < finish do
    total := !total + deep 20 (fun () -> sorted 50) + caught 10
  done;
  print_int !total
