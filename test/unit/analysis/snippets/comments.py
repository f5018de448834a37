# nothing

   # at all
